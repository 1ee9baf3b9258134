/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The build runs this program. It prints tilefarm_tensix_ops.h for device programs from the tables of the coprocessor.
 *
 *   tf_make_tensix FAMILY
 *
 * The header has these macros:
 *   TT_OP_SEMWAIT(stall_res, sem_sel, wait_sem_cond)   an instruction; operands from the highest bits down
 *   TT_CFG_NAME_WORD, _SHIFT, _MASK                    a field of Config; the mask is shifted to the field
 *   TT_THREAD_CFG_NAME_WORD, _SHIFT, _MASK             a field of ThreadConfig
 */
#include <stdio.h>
#include <string.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/config/wormhole.h"
#include "tile/tensix/isa/isa.h"
#include "tile/family/wormhole_isa.h"

struct field {
    const char *name;
    unsigned word, first, width;
};

static const struct field config[] = {
#define CFG(name, word, first, width) {"TT_CFG_" #name, word, first, width},
#define THREAD_CFG(name, word, first, width) {"TT_THREAD_CFG_" #name, word, first, width},
#include "tile/tensix/config/config.def"
#undef CFG
#undef THREAD_CFG
};

static const struct field wormhole_config[] = {
#define CFG(name, word, first, width) {"TT_CFG_" #name, word, first, width},
#define CFG_OWN CFG
#define THREAD_CFG(name, word, first, width) {"TT_THREAD_CFG_" #name, word, first, width},
#define THREAD_CFG_OWN THREAD_CFG
#include "tile/tensix/config/wormhole.def"
#undef CFG
#undef CFG_OWN
#undef THREAD_CFG
#undef THREAD_CFG_OWN
};

struct family {
    const char *name;
    const uint8_t *opcode;                    /* enum tf_opcode_state */
    const struct tf_opcode_form *const *form; /* By opcode; NULL: Blackhole's. */
    const struct field *field;
    size_t fields;
    unsigned words, thread_words;
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static const struct family families[] = {
    {"blackhole", NULL, NULL, config, COUNT(config), TF_CFG_WORDS, TF_THREAD_CFG_WORDS},
    {"wormhole", tf_wormhole_opcodes, tf_wormhole_forms, wormhole_config, COUNT(wormhole_config), TF_WORMHOLE_CFG_WORDS,
     TF_WORMHOLE_THREAD_CFG_WORDS},
};

static unsigned mask_of(unsigned width)
{
    return width == 32 ? 0xFFFFFFFFu : (1u << width) - 1;
}

static void print_operand(const struct tf_tensix_field *field)
{
    printf(" | ((uint32_t)(%s) & 0x%Xu) << %u", field->name, mask_of(field->width), field->first);
}

/* Print the bits of an operand that a family's instruction has, at their places in that instruction. */
static void print_moved(const struct tf_tensix_field *field, const struct tf_field_move *move)
{
    for (; move->width != 0; move++) {
        unsigned first = move->to > field->first ? move->to : field->first;
        unsigned end = move->to + move->width, field_end = field->first + field->width;
        end = end < field_end ? end : field_end;
        if (move->to < TF_MOVE_IGNORED && first < end)
            printf(" | ((uint32_t)(%s) >> %u & 0x%Xu) << %u", field->name, first - field->first, mask_of(end - first),
                   move->from + first - move->to);
    }
}

/* Print an instruction. Programs must give 0 for the bits of operands that the family lacks. */
static void print_op(const struct family *family, const struct tf_tensix_op *op)
{
    const struct tf_opcode_form *form = family->form != NULL ? family->form[op->opcode] : NULL;
    if ((family->opcode != NULL && family->opcode[op->opcode] == TF_OPCODE_ABSENT) || (form != NULL && form->mask != 0))
        return;
    printf("#define TT_OP_%s", op->mnemonic);
    for (unsigned i = op->fields; i-- > 0;)
        printf("%s%s", i + 1 == op->fields ? "(" : ", ", op->field[i].name);
    printf("%s (0x%02X000000u", op->fields != 0 ? ")" : "", op->opcode);
    for (unsigned i = op->fields; i-- > 0;) {
        if (form == NULL)
            print_operand(&op->field[i]);
        else
            print_moved(&op->field[i], form->move);
    }
    printf(")\n");
}

static const struct family *find_family(const char *name)
{
    for (size_t i = 0; i < COUNT(families); i++)
        if (strcmp(families[i].name, name) == 0)
            return &families[i];
    return NULL;
}

int main(int count, char **argument)
{
    const struct family *family = count == 2 ? find_family(argument[1]) : NULL;
    if (family == NULL) {
        fprintf(stderr, "usage: %s FAMILY, a name of `families` in tools/make_tensix.c\n", argument[0]);
        return 1;
    }
    printf("/* SPDX-License-Identifier: Apache-2.0 */\n"
           "/* The build makes this file from the tables of the coprocessor. */\n"
           "#ifndef TILEFARM_TENSIX_OPS_H\n#define TILEFARM_TENSIX_OPS_H\n\n#include <stdint.h>\n\n");
    for (unsigned opcode = 0; opcode < 256; opcode++)
        if (tf_tensix_op((uint8_t)opcode) != NULL)
            print_op(family, tf_tensix_op((uint8_t)opcode));
    printf("\n#define TT_CFG_WORDS %uu\n#define TT_THREAD_CFG_WORDS %uu\n\n", family->words, family->thread_words);
    for (size_t i = 0; i < family->fields; i++) {
        const struct field *field = &family->field[i];
        printf("#define %s_WORD %uu\n#define %s_SHIFT %uu\n#define %s_MASK 0x%Xu\n", field->name, field->word,
               field->name, field->first, field->name, mask_of(field->width) << field->first);
    }
    printf("\n#endif\n");
    return ferror(stdout) || fflush(stdout) != 0;
}
