/* SPDX-License-Identifier: Apache-2.0 */
/* A central barrier of three cores whose sense changes. */
#include "races.h"

#define COUNT 0x18300u
#define SENSE 0x18340u
#define CORES 3u

static void barrier(uint32_t *sense)
{
    *sense = 1 - *sense;
    if (tf_amoadd(COUNT, 1) == CORES - 1) {
        TF_WORD(COUNT) = 0;
        settle(COUNT);
        TF_WORD(SENSE) = *sense;
    } else {
        do
            tf_fence();
        while (TF_WORD(SENSE) != *sense);
    }
    tf_fence();
}

#define SLOT(core) (0x18400u + (core)*64)

PLACE uint32_t round(uint32_t i, uint32_t *sense)
{
    TF_WORD(SLOT(TF_CORE)) = i;
    barrier(sense);
    uint32_t got = TF_WORD(SLOT((TF_CORE + 1) % CORES));
    barrier(sense);
    return got;
}

int main(void)
{
    uint32_t sense = 0, total = 0;
    for (uint32_t i = 1; i <= 10; i++)
        total += round(i, &sense);
    if (TF_CORE == 0)
        finish(total);
    return 0;
}
