/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of two initiator tiles, one after another, and what they change; identification registers. */
#include <string.h>

#include "record/peer.h"
#include "record/record.h"
#include "tilefarm_address.h"

#define NIU(noc) (TF_NIU_BASE(0) + (noc)*0x10000u)
#define INITIATOR_BYTES 0x800u
#define NODE_ID 0x44u
#define ID_LOGICAL 0x148u
#define COUNTERS 0x200u
#define OUTSTANDING 16u /* the first of the counters of transaction ids */
#define CMD_CTRL 0x40u

#define PLACES 160u
#define WINDOW 0x20000u
#define WINDOW_WORDS 0x1000u
#define STEP 0x85EBCA6Bu /* from a word of a window to the next one, before requests */
#define TABLE_BYTES (1u << 22)
#define PLACE_BYTES (1u << 18) /* of the lines of one place */

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
#define BYTES(first, count, value) {.is_request = 0},
#include "conformance/noc/requests.inc"
#undef REQUEST
#undef CHANGED
#undef BYTES
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
        words[i] = (number + 1) * 0x9E3779B1u + i * STEP;
    put(api, x, y, WINDOW, words, sizeof words);
}

static uint32_t digest_of(const uint32_t *words)
{
    uint32_t value = 2166136261u;
    for (unsigned i = 0; i < WINDOW_WORDS; i++)
        value = (value ^ words[i]) * 16777619u;
    return value;
}

/* One line for changed words [first, end): each is STEP more than the one before it. */
static void print_bytes(FILE *out, const uint32_t *before, const uint32_t *after, unsigned first, unsigned end)
{
    unsigned last = end - 1, low = (unsigned)__builtin_ctz(before[first] ^ after[first]) / 8;
    unsigned high = (31 - (unsigned)__builtin_clz(before[last] ^ after[last])) / 8;
    uint32_t value = after[first] & UINT32_MAX << 8 * low;
    if (first == last)
        value &= UINT32_MAX >> 8 * (3 - high);
    else if (((after[first + 1] - STEP) ^ after[first]) >> 8 * low == 0)
        value = after[first + 1] - STEP;
    fprintf(out, "BYTES(0x%X, %u, 0x%X)\n", WINDOW + 4 * first + low, 4 * (last - first) + high + 1 - low, value);
}

/* Does word i continue the words that begin at `first`? The bytes of the first and last one may be partly old. */
static bool continues(const uint32_t *before, const uint32_t *after, unsigned first, unsigned i)
{
    uint32_t change = before[i] ^ after[i], distance = (after[i - 1] + STEP) ^ after[i];
    unsigned low = (unsigned)__builtin_ctz(before[first] ^ after[first]) / 8 * 8;
    unsigned high = change == 0 ? 0 : (31 - (unsigned)__builtin_clz(change)) / 8;
    if (i == first + 1)
        distance = ((after[i] - STEP) ^ after[first]) >> low;
    if (change == 0)
        return false;
    if (distance == 0)
        return true;
    if (i == first + 1)
        return false;
    bool is_last = i + 1 == WINDOW_WORDS || before[i + 1] == after[i + 1];
    return is_last && (distance & UINT32_MAX >> 8 * (3 - high)) == 0;
}

/* The bytes that have changed, in lines. */
static void print_changes(FILE *out, const uint32_t *before, const uint32_t *after)
{
    for (unsigned i = 0; i < WINDOW_WORDS;) {
        unsigned first = i++;
        if (before[first] == after[first])
            continue;
        while (i < WINDOW_WORDS && continues(before, after, first, i))
            i++;
        print_bytes(out, before, after, first, i);
    }
}

static void issue(const struct api *api, const struct request *request, uint32_t counter[7])
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
        counter[i] = get32(api, x, y, niu + COUNTERS + 4 * index[i]);
    counter[6] = get32(api, x, y, niu + COUNTERS + 4 * (OUTSTANDING + (request->reg[4] >> 10))) & 0xFF;
}

static void print_request(FILE *out, const struct request *step, const uint32_t counter[7])
{
    fprintf(out, "REQUEST(%u, %u, %u", step->tile, step->noc, step->initiator);
    for (unsigned i = 0; i < 8; i++)
        fprintf(out, ", 0x%X", step->reg[i]);
    for (unsigned i = 0; i < 7; i++)
        fprintf(out, ", %u", counter[i]);
    fprintf(out, ")\n");
}

/* Lines for what a request has changed. Places one after another that have equal lines share them. */
static bool print_places(const struct api *api, FILE *out, uint32_t (*window)[WINDOW_WORDS])
{
    static char text[2][PLACE_BYTES];
    static uint32_t words[WINDOW_WORDS];
    unsigned current = 0;
    text[0][0] = '\0';
    for (unsigned i = 0; i < PLACES; i++) {
        unsigned x, y;
        place_of(i, &x, &y);
        get(api, x, y, WINDOW, words, sizeof words);
        if (memcmp(words, window[i], sizeof words) == 0)
            continue;
        FILE *lines = fmemopen(text[!current], PLACE_BYTES, "w");
        if (lines == NULL)
            return false;
        print_changes(lines, window[i], words);
        if (fclose(lines) != 0)
            return false;
        if (strcmp(text[0], text[1]) != 0)
            fputs(text[current], out);
        current = !current;
        fprintf(out, "CHANGED(%u, 0x%08X)\n", i, digest_of(words));
        memcpy(window[i], words, sizeof words);
    }
    fputs(text[current], out);
    return true;
}

static bool run_requests(const struct api *api, const void *job, void *result)
{
    static uint32_t window[PLACES][WINDOW_WORDS];
    FILE *out = fmemopen(result, TABLE_BYTES, "w");
    bool done = out != NULL;
    (void)job;
    for (unsigned i = 0; i < PLACES; i++) {
        unsigned x, y;
        place_of(i, &x, &y);
        fill_place(api, i);
        get(api, x, y, WINDOW, window[i], sizeof window[i]);
    }
    for (unsigned n = 0; n < sizeof steps / sizeof steps[0] && done; n++) {
        uint32_t counter[7];
        if (!steps[n].is_request)
            continue;
        issue(api, &steps[n], counter);
        print_request(out, &steps[n], counter);
        done = print_places(api, out, window);
    }
    return done && fclose(out) == 0;
}

bool record_requests(const char *library, FILE *out)
{
    static char text[TABLE_BYTES];
    if (!peer_call(library, run_requests, NULL, text, sizeof text))
        return false;
    fputs(text, out);
    return true;
}
