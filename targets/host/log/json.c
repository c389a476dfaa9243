// SPDX-License-Identifier: MIT
#include "json.h"

#include <string.h>

void json_comma(bytes *b)
{
    if (b->count > 0 && strchr("{[", b->at[b->count - 1]) == NULL) bytes_add(b, ",", 1);
}

void json_key(bytes *b, const char *key)
{
    json_comma(b);
    bytes_print(b, "\"%s\":", key);
}

void json_text(bytes *b, const char *key, const char *text)
{
    json_key(b, key);
    bytes_add(b, "\"", 1);
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < ' ')
            bytes_print(b, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            bytes_print(b, "\\%c", c);
        else
            bytes_add(b, text, 1);
    }
    bytes_add(b, "\"", 1);
}

void json_array(bytes *b, const char *key)
{
    json_key(b, key);
    bytes_add(b, "[", 1);
}

void json_object(bytes *b)
{
    json_comma(b);
    bytes_add(b, "{", 1);
}
