/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "races/state/records.h"
#include "races/state/state.h"

/* The ring doubles until it has its maximum size. */
static bool grow(struct records *records)
{
    uint32_t room = records->room == 0 ? RECORDS_FIRST : records->room * 2;
    struct record *ring = calloc(room, sizeof *ring);
    if (ring == NULL)
        return false;
    for (uint32_t i = records->count - records->room; i != records->count; i++)
        ring[i % room] = records->ring[i % records->room];
    free(records->ring);
    records->ring = ring;
    records->room = room;
    return true;
}

tf_trace record_add(struct site *site, const struct record *record)
{
    struct records *records = &site->records;
    if (records->count >= records->room && records->room < RECORDS_MAX && !grow(records)) {
        site->lost = true;
        if (records->room == 0)
            return 0;
    }
    struct record *to = &records->ring[records->count % records->room];
    records->dropped += records->count >= records->room;
    tf_release_drop(&to->release);
    *to = *record;
    to->release = tf_release_copy(&record->release);
    return tf_trace_make(TF_SLOT_REQUEST, 0, record->pc, records->count++);
}

const struct record *record_of(const struct site *site, tf_trace trace)
{
    const struct records *records = &site->records;
    uint32_t number = tf_trace_time(trace);
    return records->count - number > records->room ? NULL : &records->ring[number % records->room];
}

void records_free(struct records *records)
{
    for (uint32_t i = 0; i < records->room; i++)
        tf_release_drop(&records->ring[i].release);
    free(records->ring);
}
