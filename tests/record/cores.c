/* SPDX-License-Identifier: Apache-2.0 */
/* B executes a floating-point instruction for each line of the table, with dynamic rounding mode. */
#include "record/float.h"
#include "record/record.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"

static const struct line {
    struct float_case one;
    const char *name;
} lines[] = {
#define V(id, a, b, c, result) {{TF_RV_##id, {a, b, c}}, #id},
#include "conformance/riscv/fp_vectors.inc"
#undef V
};

#define LINES (sizeof lines / sizeof lines[0])

bool record_fp(const char *library, FILE *out)
{
    static struct float_part part;
    for (unsigned first = 0; first < LINES; first += part.count) {
        uint32_t values[FLOAT_PART];
        part.count = LINES - first < FLOAT_PART ? (unsigned)LINES - first : FLOAT_PART;
        for (unsigned i = 0; i < part.count; i++)
            part.one[i] = lines[first + i].one;
        if (!peer_call(library, float_run, &part, values, sizeof values))
            return false;
        for (unsigned i = 0; i < part.count; i++) {
            const uint32_t *operand = part.one[i].operand;
            fprintf(out, "V(%s, 0x%08x, 0x%08x, 0x%08x, 0x%08x)\n", lines[first + i].name, operand[0], operand[1],
                    operand[2], values[i]);
        }
    }
    return true;
}
