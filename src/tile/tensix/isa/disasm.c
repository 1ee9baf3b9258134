/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/isa/disasm.h"

#include <stdarg.h>
#include <stdio.h>

#include "tile/arch.h"
#include "tile/tensix/isa/family.h"
#include "tile/tensix/isa/isa.h"

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

/* The bits of Blackhole's word that an instruction of the family can set. */
static uint32_t settable(const struct tf_tile_arch *tile, uint8_t opcode)
{
    const struct tf_opcode_form *form = tile == NULL || tile->form == NULL ? NULL : tile->form[opcode];
    uint32_t bits = form == NULL ? UINT32_MAX : 0;
    for (; form != NULL && form->move != NULL; form++)
        for (const struct tf_field_move *move = form->move; move->width != 0; move++)
            if (move->to < 24)
                bits |= ((1u << move->width) - 1) << move->to;
    return bits;
}

/* The family's own name of a field. Returns NULL if it has Blackhole's name. */
static const struct tf_field_name *name_of(const struct tf_tile_arch *tile, uint8_t opcode, unsigned first)
{
    const struct tf_field_name *own = tile == NULL ? NULL : tile->field_name;
    for (; own != NULL && own->name != NULL; own++)
        if (own->opcode == opcode && own->first == first)
            return own;
    return NULL;
}

int tf_tensix_disassemble(uint32_t word, char *text, unsigned bytes)
{
    return tf_tensix_disassemble_of(NULL, word, text, bytes);
}

int tf_tensix_disassemble_of(const struct tf_tile_arch *tile, uint32_t word, char *text, unsigned bytes)
{
    struct out out = {text, bytes, 0};
    const struct tf_tensix_op *op = tf_tensix_op((uint8_t)(word >> 24));
    if (op == NULL) {
        put(&out, ".word 0x%08x", word);
        return (int)out.length;
    }
    put(&out, "%s", op->mnemonic);
    uint32_t kept = word | settable(tile, op->opcode), own_bits = 0;
    for (unsigned i = 0; i < op->fields; i++) {
        const struct tf_tensix_field *field = &op->field[i];
        const struct tf_field_name *own = name_of(tile, op->opcode, field->first);
        if (own != NULL && own->own_bits != 0) {
            own_bits = own->own_bits;
            put_value(&out, own->name, tf_tensix_bits(tf_family_own_word(tile, word), 0, own_bits));
        } else if (field->first >= own_bits && tf_tensix_bits(kept, field->first, field->width) != 0) {
            put_value(&out, own != NULL ? own->name : field->name, tf_tensix_bits(word, field->first, field->width));
        }
    }
    if ((word & op->reserved) != 0)
        put(&out, " reserved=0x%x", word & op->reserved);
    return (int)out.length;
}
