/* SPDX-License-Identifier: Apache-2.0 */
/* Delta debugging (Zeller and Hildebrandt, 2002) over the decisions of a run, and then over their values. */
#include <stdlib.h>
#include <string.h>

#include "cli/explore/hunt.h"
#include "cli/explore/shrink.h"
#include "cli/explore/trial.h"
#include "cli/text.h"

struct shrinking {
    const struct tf_hunt *hunt;
    const struct tf_shrink_ways *ways;
    unsigned runs;
    bool over; /* stop, as the parameters demand */
    int code;  /* -1, or an exit code after an error line */
};

/* Does the run with these decisions fail? */
static bool fails(struct shrinking *shrinking, const struct tf_decision *decision, size_t count)
{
    const struct tf_explore explore = {.scheduled = true, .decision = decision, .decisions = count};
    struct tf_trial trial;
    shrinking->over |= !shrinking->over && !shrinking->ways->go_on(shrinking->ways->user, count, shrinking->runs);
    if (shrinking->code >= 0 || shrinking->over)
        return false;
    shrinking->runs++;
    shrinking->code = tf_trial_run(shrinking->hunt, &explore, &trial, false);
    free(trial.decision);
    shrinking->over |= shrinking->code >= 0;
    return shrinking->code < 0 && trial.failed;
}

/* Remove the decisions from `first` to before `last`. */
static bool fails_without(struct shrinking *shrinking, const struct tf_decision *decision, size_t count, size_t first,
                          size_t last, struct tf_decision *rest)
{
    memcpy(rest, decision, first * sizeof *rest);
    memcpy(rest + first, decision + last, (count - last) * sizeof *rest);
    return fails(shrinking, rest, count - (last - first));
}

static size_t drop_places(struct shrinking *shrinking, struct tf_decision *decision, size_t count,
                          struct tf_decision *rest)
{
    size_t pieces = 2;
    while (count > 0 && pieces <= 2 * count && !shrinking->over) {
        size_t parts = pieces < count ? pieces : count, dropped = 0;
        for (size_t part = parts; part-- > 0 && dropped == 0;) {
            size_t first = count * part / parts, last = count * (part + 1) / parts;
            if (!fails_without(shrinking, decision, count, first, last, rest))
                continue;
            dropped = last - first;
            count -= dropped;
            memcpy(decision, rest, count * sizeof *decision);
        }
        if (dropped != 0)
            pieces = pieces > 2 ? pieces - 1 : 2;
        else if (parts == count)
            break;
        else
            pieces *= 2;
    }
    return count;
}

/* The least value that still means the same kind of delay: a pause keeps its access. */
static uint32_t least_of(const struct tf_decision *decision)
{
    const bool pause = decision->freedom == TF_FREE_CORE && decision->value >= TF_EXPLORE_PAUSE;
    return pause ? decision->value - decision->value % TF_EXPLORE_PAUSE : 1;
}

static void lower_values(struct shrinking *shrinking, struct tf_decision *decision, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (uint32_t least = least_of(&decision[i]), kept = decision[i].value; least < kept && !shrinking->over;) {
            decision[i].value = least + (kept - least) / 2;
            if (fails(shrinking, decision, count))
                kept = decision[i].value;
            else
                least = decision[i].value + 1;
            decision[i].value = kept;
        }
}

int tf_hunt_shrink(const struct tf_hunt *hunt, struct tf_decision **decision, size_t *decisions, unsigned *runs,
                   const struct tf_shrink_ways *ways)
{
    struct shrinking shrinking = {.hunt = hunt, .ways = ways, .code = -1};
    struct tf_decision *rest = malloc((*decisions + 1) * sizeof *rest);
    if (rest == NULL) {
        tf_cli_error("explore: too little memory");
        return TF_EXIT_FAILED;
    }
    *decisions = drop_places(&shrinking, *decision, *decisions, rest);
    lower_values(&shrinking, *decision, *decisions);
    free(rest);
    *runs = shrinking.runs;
    return shrinking.code;
}
