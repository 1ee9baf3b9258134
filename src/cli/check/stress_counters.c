/* SPDX-License-Identifier: Apache-2.0 */
/* The counts of NIUs that the logs of the cores imply for a round. Source: BlackholeA0/NoC/Counters.md. */
#include <stdlib.h>
#include <string.h>

#include "cli/check/stress.h"
#include "cli/check/stress_counters.h"
#include "noc/niu_state.h"
#include "tile/niu_words.h"

#define NIU_COUNTER(noc, counter) (TF_NIU_BASE(noc) + TF_NIU_COUNTER + 4 * (counter))

_Static_assert(TF_STRESS_COUNTERS == TF_NIU_COUNTERS, "all counters of a NIU");

struct counts {
    uint32_t of[TF_STRESS_NODES][2][TF_STRESS_COUNTERS];
};

/* The indices of counter i among all counters. */
struct place {
    unsigned node, noc, counter;
};

static struct place place_of(unsigned i)
{
    return (struct place){i / TF_STRESS_COUNTERS / 2, i / TF_STRESS_COUNTERS % 2, i % TF_STRESS_COUNTERS};
}

static int read_counters(struct tf_stress_chip *stress, struct counts *counts)
{
    int error = TF_OK;
    for (unsigned i = 0; i < 2 * stress->nodes * TF_STRESS_COUNTERS && error == TF_OK; i++) {
        struct place at = place_of(i);
        error = tf_read(stress->chip, stress->node[at.node], NIU_COUNTER(at.noc, at.counter),
                        &counts->of[at.node][at.noc][at.counter], sizeof(uint32_t));
    }
    return error;
}

int tf_stress_count_begin(struct tf_stress_chip *stress)
{
    struct counts *counts = calloc(1, sizeof *counts);
    if (!counts)
        return TF_ENOMEM;
    int error = read_counters(stress, counts);
    memcpy(stress->counter, counts->of, sizeof stress->counter);
    free(counts);
    return error;
}

static unsigned number_of(const struct tf_stress_chip *stress, struct tf_coord node)
{
    unsigned i = 0;
    while (i + 1 < stress->nodes && (stress->node[i].x != node.x || stress->node[i].y != node.y))
        i++;
    return i;
}

/* Add the counts of one recipient of a request. If it answers, add those of the NIU that receives the answer. */
static void expect_at(const struct tf_stress_chip *stress, struct counts *counts, const struct tf_stress_entry *entry,
                      unsigned target, unsigned receiver, unsigned tid)
{
    uint32_t *counter = counts->of[number_of(stress, stress->target[target].node)][entry->noc];
    bool posted = tf_stress_is_posted(entry);
    counter[TF_SLV_REQ_ACCEPTED]++;
    counter[posted ? TF_SLV_POSTED_ATOMIC_RECEIVED : TF_SLV_NONPOSTED_ATOMIC_RECEIVED]++;
    if (posted || tf_stress_is_silent(stress, entry, target))
        return;
    counter[TF_SLV_ATOMIC_RESP_SENT]++;
    counter = counts->of[receiver][entry->noc];
    counter[TF_MST_ATOMIC_RESP_RECEIVED]++;
    counter[TF_MST_REQS_OUTSTANDING + tid]--;
}

static void expect(const struct tf_stress_chip *stress, struct counts *counts, unsigned hart,
                   const struct tf_stress_entry *entry)
{
    unsigned sender = hart / TF_TILE_CORES, core = hart % TF_TILE_CORES, receiver = sender;
    uint32_t *counter = counts->of[sender][entry->noc];
    unsigned tid = entry->manner == TF_STRESS_AWAITED ? TF_STRESS_AWAITED_TID(core) : TF_STRESS_UNAWAITED_TID(core);
    counter[TF_MST_CMD_ACCEPTED]++;
    if (tf_stress_is_posted(entry)) {
        counter[TF_MST_POSTED_ATOMIC_SENT]++;
    } else {
        counter[TF_MST_NONPOSTED_ATOMIC_STARTED]++;
        counter[TF_MST_NONPOSTED_ATOMIC_SENT]++;
        counter[TF_MST_REQS_OUTSTANDING + tid]++;
    }
    if (entry->manner == TF_STRESS_OFFICE_ANSWERED)
        receiver = number_of(stress, stress->office);
    if (!tf_stress_is_multicast(entry)) {
        expect_at(stress, counts, entry, entry->target, receiver, tid);
        return;
    }
    for (unsigned i = 0; i < TF_STRESS_RECTANGLE; i++)
        expect_at(stress, counts, entry, i, receiver, tid);
}

/* Count the writes to registers of streams. Each writes one word and is answered. */
static void expect_writes(const struct tf_stress_chip *stress, struct counts *counts, unsigned hart)
{
    const struct tf_stress_units *current = &stress->units[hart], *before = &stress->units_before[hart];
    for (unsigned i = 0; i < 2 * TF_STRESS_RECTANGLE; i++) {
        unsigned noc = i % 2, target = i / 2;
        uint32_t writes = current->writes[noc][target] - before->writes[noc][target];
        static const uint8_t sent[] = {TF_MST_CMD_ACCEPTED, TF_MST_NONPOSTED_WR_REQ_STARTED,
                                       TF_MST_NONPOSTED_WR_REQ_SENT, TF_MST_WR_ACK_RECEIVED};
        static const uint8_t received[] = {TF_SLV_NONPOSTED_WR_REQ_STARTED, TF_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED,
                                           TF_SLV_NONPOSTED_WR_REQ_RECEIVED, TF_SLV_WR_ACK_SENT};
        for (unsigned k = 0; k < sizeof sent; k++)
            counts->of[hart / TF_TILE_CORES][noc][sent[k]] += writes;
        for (unsigned k = 0; k < sizeof received; k++)
            counts->of[number_of(stress, stress->target[target].node)][noc][received[k]] += writes;
    }
}

bool tf_stress_lacks_answers(struct tf_stress_chip *stress, struct tf_coord node, uint32_t address)
{
    const unsigned noc = address >> 16 & 1;
    const uint32_t first = NIU_COUNTER(noc, TF_MST_REQS_OUTSTANDING);
    uint32_t value = 0;
    return address >= first && address < first + 4 * TF_NOC_TIDS &&
           tf_read(stress->chip, node, address, &value, sizeof value) == TF_OK && value != 0;
}

/* The width of a counter. Counters of outstanding requests have 8 bits. */
static uint32_t bits_of(unsigned counter)
{
    bool narrow = counter >= TF_MST_REQS_OUTSTANDING && counter < TF_SLV_ATOMIC_RESP_SENT;
    return narrow ? 0xFF : UINT32_MAX;
}

static bool compare(const struct tf_stress_chip *stress, const struct counts *expected, const struct counts *current,
                    struct tf_stress_failure *failure)
{
    for (unsigned i = 0; i < stress->nodes * 2 * TF_STRESS_COUNTERS; i++) {
        struct place at = place_of(i);
        uint32_t is = current->of[at.node][at.noc][at.counter], was = stress->counter[at.node][at.noc][at.counter];
        uint32_t wanted = (was + expected->of[at.node][at.noc][at.counter]) & bits_of(at.counter);
        if (is == wanted)
            continue;
        struct tf_coord node = stress->node[at.node];
        failure->invariant = TF_STRESS_R8;
        snprintf(failure->text, sizeof failure->text,
                 "round %u: counter %u of NIU %u at %s went from %u to %u; the requests make it %u", stress->round,
                 at.counter, at.noc, TF_STRESS_NODE(stress->arch, node), was, is, wanted);
        return false;
    }
    return true;
}

bool tf_stress_count_check(struct tf_stress_chip *stress, struct tf_stress_failure *failure)
{
    struct counts *counts = calloc(2, sizeof *counts);
    int error = counts ? read_counters(stress, &counts[1]) : TF_ENOMEM;
    if (error != TF_OK) {
        snprintf(failure->text, sizeof failure->text, "the counters cannot be read: %s", tf_strerror(error));
        free(counts);
        return false;
    }
    for (unsigned hart = 0; hart < TF_STRESS_HARTS; hart++) {
        for (uint32_t i = 0; i < stress->requests && tf_stress_has_hart(stress, hart); i++)
            expect(stress, &counts[0], hart, &stress->log[hart * stress->requests + i]);
        expect_writes(stress, &counts[0], hart);
    }
    bool fine = compare(stress, &counts[0], &counts[1], failure);
    memcpy(stress->counter, counts[1].of, sizeof stress->counter);
    free(counts);
    return fine;
}
