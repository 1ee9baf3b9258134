/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of L1 that an actor has written: a core, a unit, a request, or the host. A word that is not 0 has been written,
 * by any of these. Units and requests read lines of 16 bytes: one written word of a line suffices. A word that is
 * polled, or changed by atomics, may begin as 0. With --fill neither holds: words have values that nobody has written,
 * and the first value of a flag matters.
 */
#include <string.h>

#include "races/state/written.h"
#include "host/zeroed.h"
#include "races/state/state.h"
#include "tile/run/tile.h"

#define UNIT_BYTES 16u

static uint64_t blocks_of(const struct site *site)
{
    return site->tile != NULL ? site->tile->arch->l1_bytes / TF_SHADOW_BLOCK_BYTES : 0;
}

/* One array for all sites, since a large one costs nothing until it is written to. */
bool written_begin(struct tf_races *races)
{
    uint64_t blocks = 0;
    for (unsigned i = 0; i < races->sites; i++)
        blocks += blocks_of(&races->site[i]);
    races->written = tf_zeroed_take(blocks * sizeof *races->written);
    if (races->written == NULL)
        return false;
    races->written_bytes = blocks * sizeof *races->written;
    for (unsigned i = 0, at = 0; i < races->sites; at += blocks_of(&races->site[i]), i++)
        if (races->site[i].tile != NULL)
            races->site[i].written = races->written + at;
    return true;
}

void written_free(struct tf_races *races)
{
    tf_zeroed_give(races->written, races->written_bytes);
}

void written_forget(struct tf_races *races)
{
    memset(races->written, 0, races->written_bytes);
}

/* The words of a range in the block of its first word, as bits. The range may continue after the block. */
static uint64_t words_of(uint64_t address, uint64_t end)
{
    unsigned first = tf_shadow_word(address);
    uint64_t left = (end - (address & ~3ull) + 3) / 4;
    uint64_t words = left >= TF_SHADOW_WORDS ? ~0ull : (1ull << left) - 1;
    return words << first;
}

void note_written(struct site *site, uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    if (site->written == NULL || end > site->tile->arch->l1_bytes)
        return;
    for (uint64_t at = address, next; at < end; at = next) {
        next = (at | (TF_SHADOW_BLOCK_BYTES - 1)) + 1;
        site->written[at / TF_SHADOW_BLOCK_BYTES] |= words_of(at, end);
    }
}

/* Has no actor written any of these words of a block? */
static bool none_written(const struct site *site, uint64_t block, uint64_t words)
{
    if ((site->written[block] & words) != 0)
        return false;
    for (uint32_t word; words != 0 && !site->all->strict; words &= words - 1) {
        memcpy(&word, site->tile->l1 + block * TF_SHADOW_BLOCK_BYTES + 4 * (unsigned)__builtin_ctzll(words), 4);
        if (word != 0)
            return false;
    }
    return true;
}

void read_written(struct site *site, const struct who *who, uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    if (site->written == NULL || end > site->tile->arch->l1_bytes)
        return;
    for (uint64_t at = address, next; at < end; at = next) {
        uint64_t block = at / TF_SHADOW_BLOCK_BYTES, words = words_of(at, end);
        next = (at | (TF_SHADOW_BLOCK_BYTES - 1)) + 1;
        if ((words & ~site->written[block]) == 0)
            continue;
        for (unsigned line = 0; line < TF_SHADOW_WORDS; line += UNIT_BYTES / 4) {
            uint64_t part = words & 15ull << line;
            if (part == 0 || !none_written(site, block, part))
                continue;
            found(site, TF_RACE_UNWRITTEN, block * TF_SHADOW_BLOCK_BYTES + 4 * (unsigned)__builtin_ctzll(part), 0, who);
            site->written[block] |= part; /* reported once */
        }
    }
}

void read_first(struct site *site, const struct who *who, uint64_t address)
{
    if (site->all->strict)
        read_written(site, who, address & ~3ull, TF_WORD_BYTES);
}

bool is_written(const struct site *site, uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    if (site->written == NULL || end > site->tile->arch->l1_bytes)
        return true;
    for (uint64_t at = address, next; at < end; at = next) {
        next = (at | (TF_SHADOW_BLOCK_BYTES - 1)) + 1;
        if (!none_written(site, at / TF_SHADOW_BLOCK_BYTES, words_of(at, end)))
            return true;
    }
    return false;
}
