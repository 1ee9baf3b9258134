/* SPDX-License-Identifier: Apache-2.0 */
/* The common form of instructions: units know instructions as Blackhole has them, and each family's become such ones
   (struct tf_tile_arch: opcode, form). */
#ifndef TILE_TENSIX_ISA_FAMILY_H
#define TILE_TENSIX_ISA_FAMILY_H

#include <stdint.h>

struct tf_tile_arch;

enum tf_family_word {
    TF_WORD_RIGHT,
    TF_WORD_ABSENT,           /* the family lacks the opcode */
    TF_WORD_UNSUPPORTED,      /* the opcode is not implemented */
    TF_WORD_RESERVED,         /* a bit is set that belongs to no field */
    TF_WORD_MODE_UNSUPPORTED, /* what a field asks for is not implemented */
};

/* Makes *word an instruction in the common form. It changes only if the result is TF_WORD_RIGHT. */
enum tf_family_word tf_family_word(const struct tf_tile_arch *arch, uint32_t *word);

/* The family's own word of one that tf_family_word() has made. */
uint32_t tf_family_own_word(const struct tf_tile_arch *arch, uint32_t word);

#endif
