// SPDX-License-Identifier: MIT
#include "mcap.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES (768u << 10) // a chunk ends with the message that passes this
enum { MOST_CHANNELS = 16 };

enum {
    OP_HEADER = 1,
    OP_FOOTER,
    OP_SCHEMA,
    OP_CHANNEL,
    OP_MESSAGE,
    OP_CHUNK,
    OP_MESSAGE_INDEX,
    OP_CHUNK_INDEX,
    OP_ATTACHMENT,
    OP_ATTACHMENT_INDEX,
    OP_STATISTICS,
    OP_METADATA,
    OP_METADATA_INDEX,
    OP_SUMMARY_OFFSET,
    OP_DATA_END
};

static const uint8_t MAGIC[8] = {0x89, 'M', 'C', 'A', 'P', '0', '\r', '\n'};

typedef struct channel {
    const char *topic, *schema;
    bytes text;
    uint64_t messages;
    bytes index; // times and offsets of the messages of the chunk
} channel;

struct mcap {
    FILE *file;
    uint64_t at;  // bytes written
    uint32_t crc; // of these
    uint32_t crc_table[256];
    int failed; // for want of memory
    channel channel[MOST_CHANNELS];
    uint16_t channels;
    bytes chunk; // its records
    uint64_t chunk_start, chunk_end, start, end, messages;
    size_t message; // where the record that is being written begins in it
    uint16_t message_channel;
    uint64_t message_time;
    bytes chunk_index, attachment_index, metadata_index; // records of the summary
    uint32_t chunks, attachments, metadata;
};

static void make_crc_table(uint32_t *table)
{
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++) table[i] = table[i] & 1 ? 0xEDB88320u ^ table[i] >> 1 : table[i] >> 1;
    }
}

static uint32_t crc_of(const mcap *m, uint32_t crc, const uint8_t *at, size_t count)
{
    crc = ~crc;
    for (size_t i = 0; i < count; i++) crc = m->crc_table[(crc ^ at[i]) & 255u] ^ crc >> 8;
    return ~crc;
}

// Writes bytes, and frees them.
static void put(mcap *m, bytes *b)
{
    if (b->failed) m->failed = 1;
    if (b->count > 0) fwrite(b->at, 1, b->count, m->file);
    m->crc = crc_of(m, m->crc, b->at, b->count);
    m->at += b->count;
    bytes_free(b);
}

static void put_text(bytes *b, const char *text)
{
    const size_t count = strlen(text);
    bytes_u32(b, (uint32_t)count);
    bytes_add(b, text, count);
}

static size_t record_begin(bytes *b, uint8_t op)
{
    bytes_add(b, &op, 1);
    bytes_u64(b, 0);
    return b->count;
}

static void record_end(bytes *b, size_t from)
{
    bytes_set_u64(b, from - 8, b->count - from);
}

// From here to map_end(): bytes of a map or array, after their number.
static size_t map_begin(bytes *b)
{
    bytes_u32(b, 0);
    return b->count;
}

static void map_end(bytes *b, size_t from)
{
    bytes_set_u32(b, from - 4, (uint32_t)(b->count - from));
}

mcap *mcap_open(FILE *file, const char *library)
{
    mcap *m = calloc(1, sizeof *m);
    bytes b = {NULL, 0, 0, 0};

    if (m == NULL) return NULL;
    m->file = file;
    make_crc_table(m->crc_table);
    bytes_add(&b, MAGIC, sizeof MAGIC);
    const size_t from = record_begin(&b, OP_HEADER);
    put_text(&b, "");
    put_text(&b, library);
    record_end(&b, from);
    put(m, &b);
    return m;
}

static void put_schema(bytes *b, const channel *c, uint16_t id)
{
    const size_t from = record_begin(b, OP_SCHEMA);

    bytes_u16(b, id);
    put_text(b, c->schema);
    put_text(b, "jsonschema");
    bytes_u32(b, (uint32_t)c->text.count);
    bytes_add(b, c->text.at, c->text.count);
    record_end(b, from);
}

static void put_channel(bytes *b, const channel *c, uint16_t id)
{
    const size_t from = record_begin(b, OP_CHANNEL);

    bytes_u16(b, id);
    bytes_u16(b, id);
    put_text(b, c->topic);
    put_text(b, "json");
    bytes_u32(b, 0);
    record_end(b, from);
}

// Channels are numbered from 1; each has its own schema, of the same number: 0 means none.
uint16_t mcap_channel(mcap *m, const char *topic, const char *schema, bytes text)
{
    channel *c = &m->channel[m->channels++];
    bytes b = {NULL, 0, 0, 0};

    *c = (channel){.topic = topic, .schema = schema, .text = text};
    if (text.failed) m->failed = 1;
    put_schema(&b, c, m->channels);
    put_channel(&b, c, m->channels);
    put(m, &b);
    return m->channels;
}

void mcap_metadata(mcap *m, const char *name, const char *const (*pairs)[2])
{
    bytes b = {NULL, 0, 0, 0}, *index = &m->metadata_index;
    const size_t from = record_begin(&b, OP_METADATA);

    put_text(&b, name);
    const size_t map = map_begin(&b);
    for (; (*pairs)[0] != NULL; pairs++) {
        put_text(&b, (*pairs)[0]);
        put_text(&b, (*pairs)[1]);
    }
    map_end(&b, map);
    record_end(&b, from);

    const size_t entry = record_begin(index, OP_METADATA_INDEX);
    bytes_u64(index, m->at);
    bytes_u64(index, b.count);
    put_text(index, name);
    record_end(index, entry);
    m->metadata++;
    put(m, &b);
}

void mcap_attach(mcap *m, const char *name, const char *media_type, const void *data, size_t count)
{
    bytes b = {NULL, 0, 0, 0}, *index = &m->attachment_index;
    const size_t from = record_begin(&b, OP_ATTACHMENT);

    bytes_u64(&b, 0); // times of logging and of making
    bytes_u64(&b, 0);
    put_text(&b, name);
    put_text(&b, media_type);
    bytes_u64(&b, count);
    bytes_add(&b, data, count);
    bytes_u32(&b, crc_of(m, 0, b.at + from, b.count - from));
    record_end(&b, from);

    const size_t entry = record_begin(index, OP_ATTACHMENT_INDEX);
    bytes_u64(index, m->at);
    bytes_u64(index, b.count);
    bytes_u64(index, 0);
    bytes_u64(index, 0);
    bytes_u64(index, count);
    put_text(index, name);
    put_text(index, media_type);
    record_end(index, entry);
    m->attachments++;
    put(m, &b);
}

bytes *mcap_begin(mcap *m, uint16_t id, uint64_t time)
{
    channel *c = &m->channel[id - 1];

    if (m->chunk.count == 0) m->chunk_start = m->chunk_end = time;
    if (m->messages == 0) m->start = m->end = time;
    if (time > m->chunk_end) m->chunk_end = time;
    if (time > m->end) m->end = time;
    bytes_u64(&c->index, time);
    bytes_u64(&c->index, m->chunk.count);
    m->message = record_begin(&m->chunk, OP_MESSAGE);
    bytes_u16(&m->chunk, id);
    bytes_u32(&m->chunk, (uint32_t)c->messages);
    bytes_u64(&m->chunk, time);
    bytes_u64(&m->chunk, time);
    c->messages++;
    m->messages++;
    return &m->chunk;
}

// The index of a channel's messages in the chunk that is written: its place goes into the index of the chunk.
static void put_message_index(mcap *m, bytes *b, uint16_t id)
{
    bytes *index = &m->channel[id - 1].index;

    bytes_u16(&m->chunk_index, id);
    bytes_u64(&m->chunk_index, m->at + b->count);
    const size_t from = record_begin(b, OP_MESSAGE_INDEX);
    bytes_u16(b, id);
    bytes_u32(b, (uint32_t)index->count);
    bytes_add(b, index->at, index->count);
    record_end(b, from);
    bytes_free(index);
}

static void end_chunk(mcap *m)
{
    bytes b = {NULL, 0, 0, 0}, after = {NULL, 0, 0, 0}, *index = &m->chunk_index;
    const uint64_t place = m->at, size = m->chunk.count;

    if (size == 0) return;
    const size_t from = record_begin(&b, OP_CHUNK);
    bytes_u64(&b, m->chunk_start);
    bytes_u64(&b, m->chunk_end);
    bytes_u64(&b, size);
    bytes_u32(&b, crc_of(m, 0, m->chunk.at, m->chunk.count));
    put_text(&b, "");
    bytes_u64(&b, size);
    bytes_set_u64(&b, from - 8, b.count - from + size);
    put(m, &b);
    put(m, &m->chunk);

    const size_t entry = record_begin(index, OP_CHUNK_INDEX);
    bytes_u64(index, m->chunk_start);
    bytes_u64(index, m->chunk_end);
    bytes_u64(index, place);
    bytes_u64(index, m->at - place);
    const size_t map = map_begin(index);
    for (uint16_t id = 1; id <= m->channels; id++) {
        if (m->channel[id - 1].index.count > 0) put_message_index(m, &after, id);
    }
    map_end(index, map);
    bytes_u64(index, after.count);
    put_text(index, "");
    bytes_u64(index, size);
    bytes_u64(index, size);
    record_end(index, entry);
    m->chunks++;
    put(m, &after);
}

void mcap_end(mcap *m)
{
    record_end(&m->chunk, m->message);
    if (m->chunk.count >= CHUNK_BYTES) end_chunk(m);
}

static void put_statistics(bytes *b, const mcap *m)
{
    const size_t from = record_begin(b, OP_STATISTICS);

    bytes_u64(b, m->messages);
    bytes_u16(b, m->channels);
    bytes_u32(b, m->channels);
    bytes_u32(b, m->attachments);
    bytes_u32(b, m->metadata);
    bytes_u32(b, m->chunks);
    bytes_u64(b, m->start);
    bytes_u64(b, m->end);
    const size_t map = map_begin(b);
    for (uint16_t id = 1; id <= m->channels; id++) {
        bytes_u16(b, id);
        bytes_u64(b, m->channel[id - 1].messages);
    }
    map_end(b, map);
    record_end(b, from);
}

// One group of the summary: what the summary holds from `from` on, with its offset.
static void end_group(const mcap *m, const bytes *summary, size_t from, uint8_t op, bytes *offsets)
{
    if (summary->count == from) return;
    const size_t record = record_begin(offsets, OP_SUMMARY_OFFSET);
    bytes_add(offsets, &op, 1);
    bytes_u64(offsets, m->at + from);
    bytes_u64(offsets, summary->count - from);
    record_end(offsets, record);
}

static void put_summary(mcap *m, bytes *b, bytes *offsets)
{
    const struct group {
        uint8_t op;
        const bytes *records;
    } groups[] = {{OP_CHUNK_INDEX, &m->chunk_index},
                  {OP_ATTACHMENT_INDEX, &m->attachment_index},
                  {OP_METADATA_INDEX, &m->metadata_index}};
    size_t from = b->count;

    for (uint16_t id = 1; id <= m->channels; id++) put_schema(b, &m->channel[id - 1], id);
    end_group(m, b, from, OP_SCHEMA, offsets);
    from = b->count;
    for (uint16_t id = 1; id <= m->channels; id++) put_channel(b, &m->channel[id - 1], id);
    end_group(m, b, from, OP_CHANNEL, offsets);
    from = b->count;
    put_statistics(b, m);
    end_group(m, b, from, OP_STATISTICS, offsets);
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        from = b->count;
        bytes_add(b, groups[i].records->at, groups[i].records->count);
        end_group(m, b, from, groups[i].op, offsets);
    }
}

// The end of the data, the summary, the footer: its CRC is that of all from the summary's beginning to itself.
static void put_end(mcap *m)
{
    bytes b = {NULL, 0, 0, 0}, offsets = {NULL, 0, 0, 0};
    size_t from = record_begin(&b, OP_DATA_END);

    bytes_u32(&b, m->crc);
    record_end(&b, from);
    put(m, &b);

    const uint64_t place = m->at;
    put_summary(m, &b, &offsets);
    const uint64_t offsets_place = place + b.count;
    bytes_add(&b, offsets.at, offsets.count);
    from = record_begin(&b, OP_FOOTER);
    bytes_u64(&b, place);
    bytes_u64(&b, offsets_place);
    bytes_set_u64(&b, from - 8, 20); // with the CRC
    bytes_u32(&b, crc_of(m, 0, b.at, b.count));
    bytes_add(&b, MAGIC, sizeof MAGIC);
    if (offsets.failed) m->failed = 1;
    bytes_free(&offsets);
    put(m, &b);
}

int mcap_close(mcap *m)
{
    const bytes *const kept[] = {&m->chunk_index, &m->attachment_index, &m->metadata_index};

    end_chunk(m);
    put_end(m);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) m->failed |= kept[i]->failed;
    const int failed = m->failed;
    for (uint16_t i = 0; i < m->channels; i++) bytes_free(&m->channel[i].text);
    bytes_free(&m->chunk_index);
    bytes_free(&m->attachment_index);
    bytes_free(&m->metadata_index);
    free(m);
    return !failed;
}
