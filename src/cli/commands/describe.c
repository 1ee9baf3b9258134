/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm describe`: a chip and its board, or a system, in the files that drivers read. */
#include <stdlib.h>

#include "cli/board.h"
#include "cli/commands/describe.h"
#include "cli/distinct.h"
#include "cli/file.h"
#include "cli/options/options.h"
#include "cli/systems.h"
#include "cli/text.h"
#include "cli/options/wrap.h"
#include "host/text.h"
#include "tile/family/board.h"

struct describe {
    const struct tf_arch *family;
    struct tf_board_options board;
    const char *soc, *cluster, *system;
};

#define FILE_OPTION(name_, field_, help_)                                           \
    {                                                                               \
        .name = name_, .argument = "FILE|-", .help = help_, .kind = TF_OPTION_TEXT, \
        .offset = offsetof(struct describe, field_)                                 \
    }

static const struct tf_option options[] = {
    TF_OPTION_OF_ARCH(struct describe, family),
    FILE_OPTION("soc", soc, "write the die as tt-umd's soc_descriptor.yaml"),
    FILE_OPTION("cluster", cluster, "write boards, links and what is fused off, as tt-umd's cluster_descriptor.yaml"),
    {.name = "system",
     .argument = "NAME|FILE",
     .help = TF_SYSTEM_HELP,
     .kind = TF_OPTION_TEXT,
     .offset = offsetof(struct describe, system)},
    TF_OPTIONS_OF_BOARD(struct describe, board),
};

static const struct tf_usage usage = {
    .examples = "tilefarm describe --soc sim/soc_descriptor.yaml\n"
                "tilefarm describe --system n300 --cluster sim/cluster_descriptor.yaml\n",
    .synopsis = "describe [--system NAME|FILE] [--arch NAME] [--soc FILE] [--cluster FILE] [--board NAME]",
    .text = "Write the files that describe a chip and its board, or a system of several chips, to a driver.\n"
            "Without --soc and --cluster, list the boards, or show the system.\n",
    .option = options,
    .options = sizeof options / sizeof options[0],
};

/* Write a description to a file; that of a system, if there is one. Returns an exit code. */
static int write_file(const char *path, const struct tf_arch *arch, const struct tf_cluster *system,
                      size_t (*describe)(const struct tf_arch *arch, char *text, size_t bytes))
{
    size_t bytes = (system != NULL ? tf_describe_system(system, NULL, 0) : describe(arch, NULL, 0)) + 1;
    struct tf_output output = {.file = NULL};
    char *text = malloc(bytes);
    if (text == NULL) {
        tf_cli_error("too little memory");
        return TF_EXIT_FAILED;
    }
    if (system != NULL)
        tf_describe_system(system, text, bytes);
    else
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

static void add_list(struct tf_text *line, const char *what, uint32_t bits)
{
    tf_text_add(line, "  %s", what);
    for (unsigned i = 0, listed = 0; i < 32; i++)
        if (bits >> i & 1)
            tf_text_add(line, "%s%u", listed++ == 0 ? "" : ",", i);
    if (bits == 0)
        tf_text_add(line, "none");
}

static void print_boards(const struct tf_arch *arch)
{
    const char *name;
    for (unsigned i = 0; (name = tf_board_name(arch, i)) != NULL; i++) {
        struct tf_board board;
        tf_board_parse(arch, &(struct tf_board_text){.name = name}, &board, NULL);
        char text[256] = "";
        struct tf_text line = {text, sizeof text, 0};
        add_list(&line, "columns off ", board.columns_off);
        add_list(&line, "rows off ", board.rows_off);
        add_list(&line, "banks off ", board.banks_off);
        add_list(&line, "Ethernet off ", board.eth_off);
        printf("%-9s", name);
        tf_wrap_line(9, 2, text);
    }
}

static int describe_files(const struct describe *describe, const struct tf_arch *arch, const struct tf_cluster *system)
{
    if (describe->soc == NULL && describe->cluster == NULL) {
        if (system != NULL)
            tf_cli_system_print(system);
        else
            print_boards(arch);
    }
    int code = TF_EXIT_OK;
    if (describe->soc != NULL)
        code = write_file(describe->soc, arch, NULL, tf_describe_soc);
    if (code == TF_EXIT_OK && describe->cluster != NULL)
        code = write_file(describe->cluster, arch, system, tf_describe_cluster);
    return tf_cli_finish(code);
}

static int describe_system(const struct describe *describe)
{
    const struct tf_board_text *board = &describe->board.text;
    struct tf_cluster system;
    if (describe->family != NULL || board->name != NULL || board->columns != NULL || board->rows != NULL ||
        board->banks != NULL || board->eth != NULL || board->cpus != NULL) {
        tf_cli_error("--system has chips and boards of its own: it goes without --arch, --board and lists of what is "
                     "fused off");
        return TF_EXIT_USAGE;
    }
    struct tf_distinct files = {.count = 0};
    tf_distinct_input(&files, "--system", tf_cli_system_is_file(describe->system) ? describe->system : NULL);
    tf_distinct_output(&files, "--soc", describe->soc);
    tf_distinct_output(&files, "--cluster", describe->cluster);
    if (!tf_distinct_end(&files) || !tf_cli_system("--system", describe->system, &system))
        return TF_EXIT_USAGE;
    return describe_files(describe, system.arch, &system);
}

int tf_cli_describe(int argc, char **argv)
{
    struct describe describe = {.soc = NULL};
    int first, code = tf_cli_options(argc, argv, &usage, &describe, &first);
    if (code >= 0)
        return code;
    if (describe.system != NULL)
        return describe_system(&describe);
    const struct tf_arch *arch = describe.family;
    code = tf_board_settle(&describe.board, &arch) ? describe_files(&describe, arch, NULL) : TF_EXIT_USAGE;
    tf_board_free(&describe.board);
    return code;
}
