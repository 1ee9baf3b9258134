/* SPDX-License-Identifier: Apache-2.0 */
/* The decoded code of a chip that explores. Decoding is most of the work of a short run, and runs that start from one
   chip decode the same code. */
#include "farm/explore/decoded.h"

#include "farm/chip/tiles.h"
#include "farm/explore/explore.h"
#include "tile/riscv/code/code.h"

size_t tf_exploring_decoded(const struct tf_exploring *exploring, struct tf_decoded *decoded, size_t room)
{
    size_t count = 0;
    for (unsigned i = 0; i < exploring->tiles->count; i++) {
        const struct tf_code_map *map = &exploring->tiles->tile[i].code;
        for (unsigned page = 0; page < TF_CODE_PAGES && count < room; page++)
            if (map->decoded[page] != 0)
                decoded[count++] = (struct tf_decoded){(uint16_t)i, page * TF_CODE_PAGE_BYTES};
    }
    return count;
}

void tf_exploring_decode(const struct tf_exploring *exploring, const struct tf_decoded *decoded, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tf_code_page_make(&exploring->tiles->tile[decoded[i].tile], decoded[i].address);
}
