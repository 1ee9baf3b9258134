/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/accumulate.h"

#include "tile/accumulate.h"

bool tf_noc_accumulate_has(unsigned format)
{
    return format < 16 && tf_accumulate_has(format);
}

void tf_noc_accumulate(unsigned format, uint32_t line[4], uint32_t data)
{
    const uint32_t broadcast[4] = {data, data, data, data};
    tf_accumulate(format, line, broadcast);
}
