/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State other than L1 that cores share. Cores raise a stream's space available by stores, by STOREREG and over the
 * NOCs. T0 to T2 post and get a semaphore alternately. They raise a word in two steps while they have a mutex. The
 * cores report how much they have done since the beginning. Sums tell whether something was lost or done twice.
 * Sources: WormholeB0/NoC/Overlay/AsGeneralUse.md, SEMPOST.md, SEMGET.md, ATGETM.md, ATRELM.md.
 */
#include <string.h>

#include "cli/check/stress.h"
#include "cli/check/stress_units.h"
#include "tile/arch.h"
#include "tile/overlay.h"

/* The address of a stream's register "space available". */
static uint64_t space_available(const struct tf_arch *arch)
{
    return tf_overlay_address(arch->tile[TF_TILE_TENSIX].stream_place, TF_STRESS_STREAM, TF_OVERLAY_SPACE_AVAILABLE);
}

int tf_stress_units_read(struct tf_stress_chip *stress)
{
    int error = TF_OK;
    memcpy(stress->units_before, stress->units, sizeof stress->units);
    for (unsigned hart = 0; hart < TF_STRESS_HARTS && error == TF_OK; hart++) {
        if (!tf_stress_has_hart(stress, hart))
            continue;
        struct tf_coord node;
        tf_tile_coord(stress->arch, stress->tile[hart / TF_TILE_CORES], &node);
        error = tf_read(stress->chip, node, TF_STRESS_UNITS(hart % TF_TILE_CORES), &stress->units[hart],
                        sizeof stress->units[hart]);
    }
    return error;
}

static bool complain(const struct tf_stress_chip *stress, unsigned target, const char *what, uint32_t is,
                     uint32_t wanted, struct tf_stress_failure *failure)
{
    struct tf_coord node = stress->target[target].node;
    failure->invariant = TF_STRESS_R6;
    snprintf(failure->text, sizeof failure->text, "round %u: %s at %s is %u; the actions of the cores make it %u",
             stress->round, what, TF_STRESS_NODE(stress->arch, node), is, wanted);
    return false;
}

static bool check_stream(const struct tf_stress_chip *stress, unsigned target, uint32_t is,
                         struct tf_stress_failure *failure)
{
    uint32_t wanted = 0;
    for (unsigned hart = 0; hart < TF_STRESS_HARTS; hart++)
        wanted += stress->units[hart].added[target];
    wanted &= TF_STRESS_STREAM_MASK;
    return is == wanted || complain(stress, target, "the space available of a stream", is, wanted, failure);
}

static bool check_guarded(const struct tf_stress_chip *stress, unsigned target, uint32_t is,
                          struct tf_stress_failure *failure)
{
    uint32_t wanted = 0;
    for (unsigned core = TF_CORE_T0; core < tf_stress_cores(stress); core++)
        wanted += stress->units[target * TF_TILE_CORES + core].guarded;
    return is == wanted || complain(stress, target, "the word that a mutex guards", is, wanted, failure);
}

/* The last core to end finds the initial value. Other cores may find posts that no core has taken yet. */
static bool check_semaphore(const struct tf_stress_chip *stress, unsigned target, struct tf_stress_failure *failure)
{
    uint32_t least = UINT32_MAX;
    for (unsigned core = TF_CORE_T0; core < tf_stress_cores(stress); core++) {
        uint32_t found = stress->units[target * TF_TILE_CORES + core].semaphore;
        least = found < least ? found : least;
    }
    return least == TF_STRESS_SEMAPHORE_BASE || tf_stress_cores(stress) <= TF_CORE_T0 ||
           complain(stress, target, "the semaphore", least, TF_STRESS_SEMAPHORE_BASE, failure);
}

bool tf_stress_units_check(struct tf_stress_chip *stress, struct tf_stress_failure *failure)
{
    for (unsigned target = 0; target < TF_STRESS_RECTANGLE; target++) {
        uint32_t space, guarded;
        int error = tf_read(stress->chip, stress->target[target].node, space_available(stress->arch), &space,
                            sizeof space);
        if (error == TF_OK)
            error = tf_read(stress->chip, stress->target[target].node, TF_STRESS_GUARDED, &guarded, sizeof guarded);
        if (error != TF_OK) {
            snprintf(failure->text, sizeof failure->text, "streams cannot be checked: %s", tf_strerror(error));
            return false;
        }
        if (!check_stream(stress, target, space, failure) || !check_guarded(stress, target, guarded, failure) ||
            !check_semaphore(stress, target, failure))
            return false;
    }
    return true;
}
