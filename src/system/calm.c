/* SPDX-License-Identifier: Apache-2.0 */
#include "system/calm.h"

#include "farm/run/part.h"
#include "host/extremes.h"
#include "system/state.h"

bool tf_calm_possible(const struct tf_system *system)
{
    return system->lane != NULL && !system->rules.timing && !system->rules.explores;
}

void tf_calm_note(const struct tf_system *system, struct tf_news *news)
{
    news->stirred = 0;
    news->epoch_ticks = news->due = UINT64_MAX;
    for (unsigned i = 0; i < system->cluster.chips; i++) {
        const struct tf_system_part *part = &system->part[i];
        if (part->elsewhere)
            continue;
        news->stirred = tf_max(news->stirred, tf_part_stirred(part->chip)); /* also of one that stopped: calm.h */
        if (tf_system_part_stopped(part))
            continue;
        news->due = tf_min(news->due, part->due);
        if (tf_part_active(part->chip))
            news->epoch_ticks = tf_min(news->epoch_ticks, tf_part_epoch_ticks(part->chip));
    }
}

/* Windows for which a system has to be calm before they grow. */
#define WINDOWS 8u

/* A window is at most this part of the time for which the system has been calm. So a request that waits in it for its
   last part waits for a part of what came before, as in epochs, which double. */
#define PART 2u

bool tf_calm_since(const struct tf_system *system, uint64_t stirred, uint64_t now)
{
    const uint64_t ticks = system->window_ticks;
    return stirred + WINDOWS * ticks <= now / ticks * ticks;
}

uint64_t tf_calm_end(const struct tf_system *system, uint64_t now)
{
    const struct tf_news *news = &system->news;
    const uint64_t ticks = system->window_ticks, window = now / ticks;
    uint64_t end = window + 1;
    if (tf_calm_since(system, news->stirred, now) && news->epoch_ticks != UINT64_MAX)
        end = tf_max(end, window + tf_min(news->epoch_ticks, (now - news->stirred) / PART) / ticks);
    if (news->due != UINT64_MAX) /* what arrives may be answered at once */
        end = tf_max(window + 1, tf_min(end, news->due / ticks + 1));
    return end * ticks;
}
