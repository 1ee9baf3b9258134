/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of two initiator tiles, one after another, and what they change; identification registers. */
#include <string.h>

#include "record/peer.h"
#include "record/record.h"

#define NIU(noc) (0xFFB20000u + (noc)*0x10000u)
#define INITIATOR_BYTES 0x800u
#define NODE_ID 0x44u
#define ID_LOGICAL 0x148u
#define COUNTERS 0x200u
#define OUTSTANDING 16u /* the first of the counters of transaction ids */
#define CMD_CTRL 0x40u

#define PLACES 160u
#define WINDOW 0x20000u
#define WINDOW_WORDS 0x1000u
#define REQUESTS_MAX 256u

static const struct id {
    uint8_t x, y, noc;
} ids[] = {
#define ID(x, y, noc, node_id, logical) {x, y, noc},
#include "conformance/noc/identification.inc"
#undef ID
};

#define IDS (sizeof ids / sizeof ids[0])

static const struct request {
    uint8_t is_request, tile, noc, initiator;
    uint32_t reg[8]; /* TARG_LO, TARG_HI, RET_LO, RET_HI, PACKET_TAG, CTRL, AT_LEN_BE, AT_DATA */
} steps[] = {
#define REQUEST(tile, noc, initiator, a, b, c, d, e, f, g, h, ...) {1, tile, noc, initiator, {a, b, c, d, e, f, g, h}},
#define CHANGED(place, digest) {.is_request = 0},
#include "conformance/noc/requests.inc"
#undef REQUEST
#undef CHANGED
};

struct outcome {
    uint32_t counter[7];
    unsigned changed;
    uint8_t place[PLACES];
    uint32_t digest[PLACES];
};

static bool run_ids(const struct api *api, const void *job, void *result)
{
    uint32_t(*values)[2] = result;
    (void)job;
    for (unsigned i = 0; i < IDS; i++) {
        values[i][0] = get32(api, ids[i].x, ids[i].y, NIU(ids[i].noc) + NODE_ID);
        values[i][1] = get32(api, ids[i].x, ids[i].y, NIU(ids[i].noc) + ID_LOGICAL);
    }
    return true;
}

bool record_identification(const char *library, FILE *out)
{
    static uint32_t values[IDS][2];
    if (!peer_call(library, run_ids, NULL, values, sizeof values))
        return false;
    for (unsigned i = 0; i < IDS; i++)
        fprintf(out, "ID(%u, %u, %u, 0x%08X, 0x%03X)\n", ids[i].x, ids[i].y, ids[i].noc, values[i][0], values[i][1]);
    return true;
}

static void place_of(unsigned number, unsigned *x, unsigned *y)
{
    if (number < 140) {
        *x = number % 14 < 7 ? 1 + number % 14 : 3 + number % 14;
        *y = 2 + number / 14;
    } else if (number < 152) {
        *x = 20 + number - 140;
        *y = 25;
    } else {
        *x = 17 + (number - 152) / 4;
        *y = 12 + 3 * ((number - 152) % 4);
    }
}

static void fill_place(const struct api *api, unsigned number)
{
    static uint32_t words[WINDOW_WORDS];
    unsigned x, y;
    place_of(number, &x, &y);
    for (unsigned i = 0; i < WINDOW_WORDS; i++)
        words[i] = (number + 1) * 0x9E3779B1u + i * 0x85EBCA6Bu;
    put(api, x, y, WINDOW, words, sizeof words);
}

static uint32_t digest_of(const struct api *api, unsigned number)
{
    static uint32_t words[WINDOW_WORDS];
    uint32_t value = 2166136261u;
    unsigned x, y;
    place_of(number, &x, &y);
    get(api, x, y, WINDOW, words, sizeof words);
    for (unsigned i = 0; i < WINDOW_WORDS; i++)
        value = (value ^ words[i]) * 16777619u;
    return value;
}

static void issue(const struct api *api, const struct request *request, struct outcome *outcome)
{
    static const uint8_t offset[8] = {0x00, 0x08, 0x0C, 0x14, 0x18, 0x1C, 0x20, 0x28}, zero[2] = {0x04, 0x10};
    static const uint8_t index[6] = {0, 1, 2, 7, 10, 11};
    unsigned x = request->tile ? 14 : 1, y = request->tile ? 9 : 2;
    uint32_t niu = NIU(request->noc), initiator = niu + request->initiator * INITIATOR_BYTES;
    for (unsigned i = 0; i < 2; i++)
        put32(api, x, y, initiator + zero[i], 0);
    for (unsigned i = 0; i < 8; i++)
        put32(api, x, y, initiator + offset[i], request->reg[i]);
    put32(api, x, y, initiator + CMD_CTRL, 1);
    for (unsigned turns = 0; turns < 1000 && get32(api, x, y, initiator + CMD_CTRL) != 0; turns++)
        api->clock(10);
    api->clock(2000);
    for (unsigned i = 0; i < 6; i++)
        outcome->counter[i] = get32(api, x, y, niu + COUNTERS + 4 * index[i]);
    outcome->counter[6] = get32(api, x, y, niu + COUNTERS + 4 * (OUTSTANDING + (request->reg[4] >> 10))) & 0xFF;
}

static bool run_requests(const struct api *api, const void *job, void *result)
{
    static uint32_t digest[PLACES];
    struct outcome *outcome = result;
    (void)job;
    for (unsigned i = 0; i < PLACES; i++)
        fill_place(api, i);
    for (unsigned i = 0; i < PLACES; i++)
        digest[i] = digest_of(api, i);
    for (unsigned n = 0; n < sizeof steps / sizeof steps[0]; n++) {
        if (!steps[n].is_request)
            continue;
        issue(api, &steps[n], outcome);
        for (unsigned i = 0; i < PLACES; i++) {
            uint32_t now = digest_of(api, i);
            if (now == digest[i])
                continue;
            outcome->place[outcome->changed] = (uint8_t)i;
            outcome->digest[outcome->changed++] = digest[i] = now;
        }
        outcome++;
    }
    return true;
}

bool record_requests(const char *library, FILE *out)
{
    static struct outcome values[REQUESTS_MAX];
    const struct outcome *outcome = values;
    if (!peer_call(library, run_requests, NULL, values, sizeof values))
        return false;
    for (unsigned n = 0; n < sizeof steps / sizeof steps[0]; n++) {
        const struct request *step = &steps[n];
        if (!step->is_request)
            continue;
        fprintf(out, "REQUEST(%u, %u, %u", step->tile, step->noc, step->initiator);
        for (unsigned i = 0; i < 8; i++)
            fprintf(out, ", 0x%X", step->reg[i]);
        for (unsigned i = 0; i < 7; i++)
            fprintf(out, ", %u", outcome->counter[i]);
        fprintf(out, ")\n");
        for (unsigned i = 0; i < outcome->changed; i++)
            fprintf(out, "CHANGED(%u, 0x%08X)\n", outcome->place[i], outcome->digest[i]);
        outcome++;
    }
    return true;
}
