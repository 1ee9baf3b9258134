/* SPDX-License-Identifier: Apache-2.0 */
#include "pool/gain.h"

#include "pool/form.h"

/* Sharing that gains less than GAIN_LEAST pauses for TF_GAIN_HOLD_S of tasks, and for twice as long each time that it
   fails again. The gain is that of the last GAIN_TASKS tasks, or of the last GAIN_S where they are shorter. One wait
   for a time slice of the host then outweighs it. It is not looked at before GAIN_TRIED_S. */
#define GAIN_LEAST 1.15
#define GAIN_TASKS 8
#define GAIN_S 4e-3
#define GAIN_TRIED_S 0.4e-3
#define HOLD_MOST_S 128e-3

/* In any task, a helper that the host stops within a visit costs a time slice of the host. Then runs are not shared
   until the loss is a small part of the whole. */
#define LOST_MOST_S 1e-3
#define LOST_REPAID 10

/* Workers that fail for this long run better where the host puts them. */
#define HOLD_PINNED_S 16e-3

/* Give sharing up for a while. The time doubles with each failure, so failures cost ever less of the whole. */
static void give_up(struct tf_gain *gain, struct tf_team *team)
{
    if (gain->next_s > HOLD_PINNED_S)
        tf_team_loosen(team);
    gain->hold_s = gain->next_s;
    gain->next_s = gain->next_s < HOLD_MOST_S ? 2 * gain->next_s : HOLD_MOST_S;
    gain->wall_s = gain->alone_s = gain->shared_s = 0;
}

void tf_gain_note(struct tf_gain *gain, struct tf_team *team, double alone_s, double wall_s)
{
    double forgotten = wall_s * GAIN_TASKS < GAIN_S ? wall_s / GAIN_S : 1.0 / GAIN_TASKS;
    gain->wall_s += wall_s - gain->wall_s * forgotten;
    gain->alone_s += alone_s - gain->alone_s * forgotten;
    gain->shared_s += wall_s;
    if (gain->wall_s > GAIN_TRIED_S && gain->alone_s < GAIN_LEAST * gain->wall_s)
        give_up(gain, team);
    else if (gain->shared_s > gain->next_s)
        gain->next_s = TF_GAIN_HOLD_S;
}

void tf_gain_note_loss(struct tf_gain *gain, double *lost_s, double alone_s, double wall_s)
{
    *lost_s += wall_s - alone_s;
    if (*lost_s < 0)
        *lost_s = 0;
    if (*lost_s < LOST_MOST_S)
        return;
    double hold_s = LOST_REPAID * *lost_s;
    gain->hold_s = hold_s > gain->hold_s ? hold_s : gain->hold_s;
    *lost_s = 0;
}
