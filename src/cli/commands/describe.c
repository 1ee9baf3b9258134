/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm describe`: a chip and its board, in the files that drivers read. */
#include <stdlib.h>

#include "cli/board.h"
#include "tile/family/board.h"

struct describe {
    const struct tf_arch *family;
    struct tf_board_options board;
    const char *soc, *cluster;
};

#define FILE_OPTION(name_, field_, help_)                                           \
    {                                                                               \
        .name = name_, .argument = "FILE|-", .help = help_, .kind = TF_OPTION_TEXT, \
        .offset = offsetof(struct describe, field_)                                 \
    }

static const struct tf_option options[] = {
    TF_OPTION_OF_ARCH(struct describe, family),
    FILE_OPTION("soc", soc, "write the die as tt-umd's soc_descriptor.yaml"),
    FILE_OPTION("cluster", cluster, "write the board, and what is fused off, as tt-umd's cluster_descriptor.yaml"),
    TF_OPTIONS_OF_BOARD(struct describe, board),
};

static const struct tf_usage usage = {
    .synopsis = "describe [--arch NAME] [--soc FILE] [--cluster FILE] [--board NAME]",
    .text = "Write the files that describe a chip and its board to a driver. Without --soc and --cluster, list the "
            "boards.\n",
    .option = options,
    .options = sizeof options / sizeof options[0],
};

bool tf_board_make(struct tf_board_options *given, const struct tf_board *board, const struct tf_arch **arch)
{
    const struct tf_arch *family = *arch;
    if (tf_board_is_default(family, board))
        return true;
    if (given->variant == NULL)
        given->variant = malloc(sizeof *given->variant);
    if (given->variant == NULL) {
        tf_cli_error("too little memory");
        return false;
    }
    tf_variant_make(family, board, given->variant);
    *arch = &given->variant->arch;
    return true;
}

bool tf_board_settle(struct tf_board_options *given, const struct tf_arch **arch)
{
    const struct tf_arch *family = tf_arch_or_default(*arch);
    struct tf_board board;
    struct tf_message message;
    if (tf_board_parse(family, &given->text, &board, &message) != TF_OK) {
        tf_cli_error("%s", message.text);
        return false;
    }
    if (tf_board_is_default(family, &board))
        return true;
    *arch = family;
    return tf_board_make(given, &board, arch);
}

void tf_board_free(struct tf_board_options *given)
{
    free(given->variant);
    given->variant = NULL;
}

/* Write a description to a file. Returns an exit code. */
static int write_file(const char *path, const struct tf_arch *arch,
                      size_t (*describe)(const struct tf_arch *arch, char *text, size_t bytes))
{
    size_t bytes = describe(arch, NULL, 0) + 1;
    struct tf_output output = {.file = NULL};
    char *text = malloc(bytes);
    if (text == NULL) {
        tf_cli_error("too little memory");
        return TF_EXIT_FAILED;
    }
    describe(arch, text, bytes);
    int code = TF_EXIT_USAGE;
    if (tf_output_open(&output, path)) {
        fputs(text, output.file);
        code = tf_output_commit(&output) ? TF_EXIT_OK : TF_EXIT_FAILED;
    }
    tf_output_discard(&output);
    free(text);
    return code;
}

static void print_list(const char *what, uint32_t bits)
{
    printf("  %s", what);
    for (unsigned i = 0, listed = 0; i < 32; i++)
        if (bits >> i & 1)
            printf("%s%u", listed++ == 0 ? "" : ",", i);
    if (bits == 0)
        printf("none");
}

static void print_boards(const struct tf_arch *arch)
{
    const char *name;
    for (unsigned i = 0; (name = tf_board_name(arch, i)) != NULL; i++) {
        struct tf_board board;
        tf_board_parse(arch, &(struct tf_board_text){.name = name}, &board, NULL);
        printf("%-9s", name);
        print_list("columns off ", board.columns_off);
        print_list("rows off ", board.rows_off);
        print_list("banks off ", board.banks_off);
        print_list("Ethernet off ", board.eth_off);
        printf("\n");
    }
}

static int describe_files(const struct describe *describe, const struct tf_arch *arch)
{
    if (describe->soc == NULL && describe->cluster == NULL)
        print_boards(arch);
    int code = TF_EXIT_OK;
    if (describe->soc != NULL)
        code = write_file(describe->soc, arch, tf_describe_soc);
    if (code == TF_EXIT_OK && describe->cluster != NULL)
        code = write_file(describe->cluster, arch, tf_describe_cluster);
    return tf_cli_finish(code);
}

int tf_cli_describe(int argc, char **argv)
{
    struct describe describe = {.soc = NULL};
    int first, code = tf_cli_options(argc, argv, &usage, &describe, &first);
    if (code >= 0)
        return code;
    const struct tf_arch *arch = describe.family;
    code = tf_board_settle(&describe.board, &arch) ? describe_files(&describe, arch) : TF_EXIT_USAGE;
    tf_board_free(&describe.board);
    return code;
}
