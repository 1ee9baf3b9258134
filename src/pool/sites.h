/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of sites. A site is what one worker at a time visits. */
#ifndef POOL_SITES_H
#define POOL_SITES_H

#include <stdbool.h>
#include <stdint.h>

#define TF_SITES_MAX 255u
#define TF_NO_SITE TF_SITES_MAX /* in place of the number of a site: there is none */
#define TF_SET_WORDS ((TF_SITES_MAX + 63) / 64)

/* A set of sites. All zero: empty. */
struct tf_sites {
    uint64_t word[TF_SET_WORDS];
};

static inline void tf_sites_add(struct tf_sites *sites, unsigned site)
{
    sites->word[site / 64] |= 1ull << (site % 64);
}

static inline void tf_sites_remove(struct tf_sites *sites, unsigned site)
{
    sites->word[site / 64] &= ~(1ull << (site % 64));
}

static inline bool tf_sites_has(const struct tf_sites *sites, unsigned site)
{
    return sites->word[site / 64] >> (site % 64) & 1;
}

/* Add all sites of one set to another. */
static inline void tf_sites_join(struct tf_sites *into, const struct tf_sites *from)
{
    for (unsigned i = 0; i < TF_SET_WORDS; i++)
        into->word[i] |= from->word[i];
}

/* Is the set empty? */
static inline bool tf_sites_none(const struct tf_sites *sites)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < TF_SET_WORDS; i++)
        any |= sites->word[i];
    return any == 0;
}

/* Have two sets a site in common? */
static inline bool tf_sites_meet(const struct tf_sites *one, const struct tf_sites *other)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < TF_SET_WORDS; i++)
        any |= one->word[i] & other->word[i];
    return any != 0;
}

static inline unsigned tf_sites_count(const struct tf_sites *sites)
{
    unsigned count = 0;
    for (unsigned i = 0; i < TF_SET_WORDS; i++)
        if (sites->word[i] != 0) /* without an instruction of the host the sum of bits is a call */
            count += (unsigned)__builtin_popcountll(sites->word[i]);
    return count;
}

#endif
