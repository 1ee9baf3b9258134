/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/debug/disasm.h"

#include <stdarg.h>
#include <stdio.h>

#include "tile/tensix/frontend/isa.h"

struct out {
    char *text;
    unsigned bytes;
    unsigned length;
};

static void put(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct out *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bool fits = out->length < out->bytes;
    char *text = fits ? out->text + out->length : NULL;
    int length = vsnprintf(text, fits ? out->bytes - out->length : 0, format, arguments);
    va_end(arguments);
    out->length += length > 0 ? (unsigned)length : 0;
}

static void put_value(struct out *out, const char *name, uint32_t value)
{
    put(out, value < 10 ? " %s=%u" : " %s=0x%x", name, value);
}

int tf_tensix_disassemble(uint32_t word, char *text, unsigned bytes)
{
    struct out out = {text, bytes, 0};
    const struct tf_tensix_op *op = tf_tensix_op((uint8_t)(word >> 24));
    if (op == NULL) {
        put(&out, ".word 0x%08x", word);
        return (int)out.length;
    }
    put(&out, "%s", op->mnemonic);
    for (unsigned i = 0; i < op->fields; i++)
        put_value(&out, op->field[i].name, tf_tensix_bits(word, op->field[i].first, op->field[i].width));
    if ((word & op->reserved) != 0)
        put(&out, " reserved=0x%x", word & op->reserved);
    return (int)out.length;
}
