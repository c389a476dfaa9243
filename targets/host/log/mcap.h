// SPDX-License-Identifier: MIT
// mcap.h - an MCAP file: schemas, channels, messages in chunks with an index, attachments, metadata, statistics, CRCs;
// no compression. https://mcap.dev/spec
#ifndef TACTUS_LOG_MCAP_H
#define TACTUS_LOG_MCAP_H

#include "bytes.h"
#include <stdio.h>

typedef struct mcap mcap;

/// Begins a file. Returns NULL if there is no memory.
mcap *mcap_open(FILE *file, const char *library);

/// A topic with messages of JSON: its number. All are made before the first message; topic and schema are kept by
/// reference, the text of the schema, which is taken over, until the end.
uint16_t mcap_channel(mcap *m, const char *topic, const char *schema, bytes text);

/// Names and values, a NULL name at the end; before the first message.
void mcap_metadata(mcap *m, const char *name, const char *const (*pairs)[2]);
void mcap_attach(mcap *m, const char *name, const char *media_type, const void *data, size_t count);

/// A message at a time in ns: its text is added to what mcap_begin() returns.
bytes *mcap_begin(mcap *m, uint16_t channel, uint64_t time);
void mcap_end(mcap *m);

/// Writes what is left, and the summary. The file stays open. Returns 0 if there was no memory.
int mcap_close(mcap *m);

#endif
