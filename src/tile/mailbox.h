/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the cores with mailboxes: those of their windows (BlackholeA0/TensixTile/BabyRISCV/Mailboxes.md). */
#ifndef TILE_MAILBOX_H
#define TILE_MAILBOX_H

#include <stdint.h>

#include "tilefarm/tilefarm_base.h"
#include "tilefarm_address.h"

#define TF_MAILBOX_CORES 4u /* B, T0, T1, T2 */

/* The number of a core among those with mailboxes. */
static inline unsigned tf_mailbox_number(unsigned core)
{
    return core == TF_CORE_B ? 0 : core - TF_CORE_T0 + 1;
}

/* The core with that number. */
static inline unsigned tf_mailbox_core(unsigned number)
{
    return number == 0 ? TF_CORE_B : TF_CORE_T0 + number - 1;
}

/* The number of the core whose window has this address. */
static inline unsigned tf_mailbox_window(uint32_t address)
{
    return (address - TF_MAILBOX_BASE) / TF_MAILBOX_BYTES % TF_MAILBOX_CORES;
}

#endif
