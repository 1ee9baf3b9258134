/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <string.h>

#include "cli/cli.h"

static const struct tf_command commands[] = {
    {"list", "the workloads", tf_cli_list},
    {"describe", "the boards; a chip on one, in the files that drivers read", tf_cli_describe},
    {"topo", "the CPU of each worker, and its tiles", tf_cli_topo},
    {"run", "run a workload, or programs of your own", tf_cli_run},
    {"stress", "check every NOC atomic under contention", tf_cli_stress},
    {"disasm", "disassemble a program: RV32 and Tensix instructions", tf_cli_disasm},
    {"isa", "the Tensix instructions: which are implemented, and their tests", tf_cli_isa},
    {"demo", "run twelve workloads; print a table and draw the chip", tf_cli_demo},
    {"compare", "run a program on several libraries, and show the first difference", tf_cli_compare},
    {"bench", "measure this host", tf_cli_bench},
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static int print_help(void)
{
    printf("tilefarm %s: a whole Tenstorrent Blackhole chip in software\n\n"
           "Usage: tilefarm COMMAND [options]\n\nCommands:\n",
           tf_version());
    for (size_t i = 0; i < COMMANDS; i++)
        printf("  %-9s %s\n", commands[i].name, commands[i].summary);
    printf("\n'tilefarm help COMMAND' prints the options of a command; 'tilefarm --version' prints the version.\n"
           "Exit codes: 0 success, 1 the run failed, 2 wrong usage or input, 3 deadlock, 4 cycle limit,\n"
           "130 interrupted.\n");
    return tf_cli_finish(TF_EXIT_OK);
}

static const struct tf_command *find_command(const char *name)
{
    struct tf_guess guess = {.given = name, .prefix = ""};
    char meant[TF_GUESS_BYTES];
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
        tf_guess_offer(&guess, commands[i].name);
    }
    tf_cli_error("no command '%s'%s; see 'tilefarm --help'", name, tf_guess_text(&guess, meant));
    return NULL;
}

/* `tilefarm help` and `tilefarm help COMMAND` */
static int help(int argc, char **argv)
{
    if (argc < 2)
        return print_help();
    const struct tf_command *command = find_command(argv[1]);
    char option[] = "--help", *arguments[] = {argv[1], option, NULL};
    return command == NULL ? TF_EXIT_USAGE : command->run(2, arguments);
}

/* The next file that is opened would get the number of a closed standard stream, and reports would go into it. */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            return;
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    if (argc < 2) {
        tf_cli_error("name a command; see 'tilefarm --help'");
        return TF_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_help();
    if (strcmp(name, "help") == 0)
        return help(argc - 1, argv + 1);
    if (strcmp(name, "--version") == 0) {
        printf("tilefarm %s\n", tf_version());
        return tf_cli_finish(TF_EXIT_OK);
    }
    const struct tf_command *command = find_command(name);
    return command == NULL ? TF_EXIT_USAGE : command->run(argc - 1, argv + 1);
}
