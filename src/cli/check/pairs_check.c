/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What two tiles may see of each other. Each makes a word rise by 1 with each round of its loop, then looks at the
 * other's word. The two loops run freely, so a round of one is compared with those rounds of the other that it met.
 */
#include "cli/check/pairs_check.h"

static const char *const program_text[] = {
#define X(name, text, loops, runs) [TF_PAIR_##name] = (text),
    TF_PAIRS_PROGRAMS(X)
#undef X
};

#define NAMES(pair) (pair)[0].name, (pair)[1].name, program_text[program]
#define BEGIN "%s and %s, \"%s\": "

/* A later round sees no earlier word, and no word that was not written. */
static bool rises(const struct tf_pairs_tile *pair, unsigned side, enum tf_pairs_program program, uint32_t loops,
                  struct tf_stress_failure *failure)
{
    const struct tf_pairs_seen *seen = pair[side].seen;
    for (uint32_t i = 0; i < loops; i++) {
        uint32_t last = i == 0 ? 0 : seen[i - 1].first;
        if (seen[i].first >= last && seen[i].first <= loops)
            continue;
        failure->invariant = TF_STRESS_R3;
        snprintf(failure->text, sizeof failure->text, BEGIN "round %u of %s saw %u after %u", NAMES(pair), i + 1,
                 pair[side].name, seen[i].first, last);
        return false;
    }
    return true;
}

/*
 * Store buffering. In round i a tile makes its word i, and then sees j. So the other's word became j + 1 after that,
 * and in its round j + 1 the other sees at least i.
 */
static bool stores_are_seen(const struct tf_pairs_tile *pair, unsigned side, enum tf_pairs_program program,
                            uint32_t loops, struct tf_stress_failure *failure)
{
    const struct tf_pairs_tile *one = &pair[side], *other = &pair[!side];
    for (uint32_t i = 1; i <= loops; i++) {
        uint32_t j = one->seen[i - 1].first;
        if (j >= loops || other->seen[j].first >= i)
            continue;
        failure->invariant = TF_STRESS_R3;
        snprintf(failure->text, sizeof failure->text,
                 BEGIN "%s made its word %u and then saw %u; %s made its word %u and then saw %u. A store "
                       "was not visible before a later load",
                 NAMES(pair), one->name, i, j, other->name, j + 1, other->seen[j].first);
        return false;
    }
    return true;
}

/*
 * Load buffering. A tile sees j before it makes its word i. So the other's word was j by then, and what the other saw
 * before it made that word is less than i.
 */
static bool loads_are_early(const struct tf_pairs_tile *pair, enum tf_pairs_program program, uint32_t loops,
                            struct tf_stress_failure *failure)
{
    const struct tf_pairs_tile *one = &pair[0], *other = &pair[1];
    for (uint32_t i = 2; i <= loops; i++) {
        uint32_t j = one->seen[i - 2].first;
        if (j < 2 || other->seen[j - 2].first < i)
            continue;
        failure->invariant = TF_STRESS_R3;
        snprintf(failure->text, sizeof failure->text,
                 BEGIN "%s saw %u and then made its word %u; %s saw %u and then made its word %u", NAMES(pair),
                 one->name, j, i, other->name, other->seen[j - 2].first, j);
        return false;
    }
    return true;
}

/* Message passing: who sees the number also sees the data. */
static bool data_come_first(const struct tf_pairs_tile *pair, enum tf_pairs_program program, uint32_t loops,
                            struct tf_stress_failure *failure)
{
    for (uint32_t i = 0; i < 2 * loops; i++) {
        const struct tf_pairs_tile *tile = &pair[i & 1];
        const struct tf_pairs_seen *seen = &tile->seen[i / 2];
        if (seen->second >= seen->first)
            continue;
        failure->invariant = TF_STRESS_R3;
        snprintf(failure->text, sizeof failure->text,
                 BEGIN "%s saw the flag %u, and then the data of %u, which are older", NAMES(pair), tile->name,
                 seen->first, seen->second);
        return false;
    }
    return true;
}

static bool words_are_whole(const struct tf_pairs_tile *pair, enum tf_pairs_program program,
                            struct tf_stress_failure *failure)
{
    for (unsigned side = 0; side < 2; side++) {
        const struct tf_pairs_result *result = &pair[side].result;
        if (result->torn == 0)
            continue;
        failure->invariant = TF_STRESS_R1;
        snprintf(failure->text, sizeof failure->text,
                 BEGIN "%s %s %u torn words, the first is 0x%08x; stores make the bytes of a word equal", NAMES(pair),
                 pair[side].name, result->torn_by ? "read" : "loaded", result->torn, result->torn_as);
        return false;
    }
    return true;
}

bool tf_pairs_check(const struct tf_pairs_tile pair[2], enum tf_pairs_program program, uint32_t loops,
                    struct tf_stress_failure *failure)
{
    switch (program) {
    case TF_PAIR_SB_ATOMIC:
    case TF_PAIR_SB_READ:
    case TF_PAIR_SB_WRITE:
    case TF_PAIR_SB_MULTICAST:
        return rises(pair, 0, program, loops, failure) && rises(pair, 1, program, loops, failure) &&
               stores_are_seen(pair, 0, program, loops, failure) && stores_are_seen(pair, 1, program, loops, failure) &&
               loads_are_early(pair, program, loops, failure);
    case TF_PAIR_MP:
        return rises(pair, 0, program, loops, failure) && rises(pair, 1, program, loops, failure) &&
               data_come_first(pair, program, loops, failure);
    case TF_PAIR_PLAIN: return words_are_whole(pair, program, failure);
    default: return true;
    }
}
