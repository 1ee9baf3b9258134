/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run by the build: prints tilefarm_tensix_ops.h for device programs, out of the tables of the coprocessor.
 *
 *   TT_OP_SEMWAIT(stall_res, sem_sel, wait_sem_cond)   an instruction; operands from the highest bits down
 *   TT_CFG_NAME_WORD, _SHIFT, _MASK                    a field of Config, the mask in place
 *   TT_THREAD_CFG_NAME_WORD, _SHIFT, _MASK             a field of ThreadConfig
 */
#include <stdio.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/isa.h"

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

static unsigned mask_of(unsigned width)
{
    return width == 32 ? 0xFFFFFFFFu : (1u << width) - 1;
}

static void print_op(const struct tf_tensix_op *op)
{
    printf("#define TT_OP_%s", op->mnemonic);
    for (unsigned i = op->fields; i-- > 0;)
        printf("%s%s", i + 1 == op->fields ? "(" : ", ", op->field[i].name);
    printf("%s (0x%02X000000u", op->fields != 0 ? ")" : "", op->opcode);
    for (unsigned i = op->fields; i-- > 0;)
        printf(" | ((uint32_t)(%s) & 0x%Xu) << %u", op->field[i].name, mask_of(op->field[i].width), op->field[i].first);
    printf(")\n");
}

int main(void)
{
    printf("/* SPDX-License-Identifier: Apache-2.0 */\n"
           "/* Made by the build out of tensix.def and config.def. */\n"
           "#ifndef TILEFARM_TENSIX_OPS_H\n#define TILEFARM_TENSIX_OPS_H\n\n#include <stdint.h>\n\n");
    for (unsigned opcode = 0; opcode < 256; opcode++)
        if (tf_tensix_op((uint8_t)opcode) != NULL)
            print_op(tf_tensix_op((uint8_t)opcode));
    printf("\n#define TT_CFG_WORDS %uu\n#define TT_THREAD_CFG_WORDS %uu\n\n", TF_CFG_WORDS, TF_THREAD_CFG_WORDS);
    for (unsigned i = 0; i < sizeof config / sizeof config[0]; i++)
        printf("#define %s_WORD %uu\n#define %s_SHIFT %uu\n#define %s_MASK 0x%Xu\n", config[i].name, config[i].word,
               config[i].name, config[i].first, config[i].name, mask_of(config[i].width) << config[i].first);
    printf("\n#endif\n");
    return ferror(stdout) || fflush(stdout) != 0;
}
