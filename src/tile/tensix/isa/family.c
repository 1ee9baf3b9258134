/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/isa/family.h"

#include <stddef.h>

#include "tile/arch.h"

static enum tf_family_word move_fields(const struct tf_opcode_form *form, uint32_t *word)
{
    uint32_t moved = *word & 0xFF000000, fields = 0xFF000000, unsupported = 0;
    while (form->move != NULL && (*word & form->mask) != form->low)
        form++;
    for (const struct tf_field_move *move = form->move; move != NULL && move->width != 0; move++) {
        uint32_t bits = (1u << move->width) - 1;
        fields |= bits << move->from;
        if (move->to == TF_MOVE_UNSUPPORTED)
            unsupported |= bits << move->from;
        else if (move->to != TF_MOVE_IGNORED)
            moved |= (*word >> move->from & bits) << move->to;
    }
    if (form->move == NULL || (*word & ~fields) != 0)
        return TF_WORD_RESERVED;
    if ((*word & unsupported) != 0)
        return TF_WORD_MODE_UNSUPPORTED;
    *word = moved;
    return TF_WORD_RIGHT;
}

enum tf_family_word tf_family_word(const struct tf_tile_arch *arch, uint32_t *word)
{
    const struct tf_opcode_form *form = arch->form != NULL ? arch->form[*word >> 24] : NULL;
    switch ((enum tf_opcode_state)arch->opcode[*word >> 24]) {
    case TF_OPCODE_ABSENT: return TF_WORD_ABSENT;
    case TF_OPCODE_UNSUPPORTED: return TF_WORD_UNSUPPORTED;
    default: return form != NULL ? move_fields(form, word) : TF_WORD_RIGHT;
    }
}

uint32_t tf_family_own_word(const struct tf_tile_arch *arch, uint32_t word)
{
    const struct tf_opcode_form *form = arch->form != NULL ? arch->form[word >> 24] : NULL;
    for (; form != NULL && form->move != NULL; form++) {
        uint32_t own = word & 0xFF000000;
        for (const struct tf_field_move *move = form->move; move->width != 0; move++)
            if (move->to < TF_MOVE_IGNORED)
                own |= (word >> move->to & ((1u << move->width) - 1)) << move->from;
        uint32_t converted = own;
        if (tf_family_word(arch, &converted) == TF_WORD_RIGHT && converted == word)
            return own;
    }
    return word;
}
