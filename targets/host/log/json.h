// SPDX-License-Identifier: MIT
// json.h - objects and arrays of JSON, piece by piece.
#ifndef TACTUS_LOG_JSON_H
#define TACTUS_LOG_JSON_H

#include "bytes.h"

/// A key, after a comma unless an object begins before it.
void json_key(bytes *b, const char *key);

/// A key and a text, with what JSON wants escaped.
void json_text(bytes *b, const char *key, const char *text);

/// A key and the beginning of an array; the beginning of an object in it.
void json_array(bytes *b, const char *key);
void json_object(bytes *b);

/// A comma, unless an array or object begins before it.
void json_comma(bytes *b);

#endif
