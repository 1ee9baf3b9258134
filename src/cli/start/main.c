/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/command.h"
#include "cli/cli.h"
#include "cli/commands/cc.h"
#include "cli/commands/compare.h"
#include "cli/commands/demo.h"
#include "cli/commands/describe.h"
#include "cli/commands/disasm.h"
#include "cli/commands/explore.h"
#include "cli/commands/isa.h"
#include "cli/commands/join.h"
#include "cli/commands/list.h"
#include "cli/commands/litmus.h"
#include "cli/commands/run.h"
#include "cli/commands/stress.h"
#include "cli/commands/timing.h"
#include "cli/commands/topo.h"
#include "cli/guess.h"
#include "cli/options/help.h"
#include "cli/start/shells.h"
#include "cli/text.h"
#include "cli/workloads/list.h"
#include "cli/workloads/workload.h"
#include "tile/arch.h"

static const struct tf_command commands[] = {
    {"list", "list the workloads and the known systems", tf_cli_list},
    {"describe", "list the boards, or describe a chip or a system in the files that drivers read", tf_cli_describe},
    {"topo", "show the CPU of each worker thread, and its tiles", tf_cli_topo},
    {"cc", "compile a device program for a core", tf_cli_cc},
    {"run", "run a workload, or programs of your own", tf_cli_run},
    {"join", "run chips for a client's program over MPI", tf_cli_join},
    {"replay", "play the calls that a client of libttsim.so made", tf_cli_replay},
    {"explore", "run a program under many other orders that the chip's documents allow", tf_cli_explore},
    {"litmus", "run the memory model's litmus tests under all orders", tf_cli_litmus},
    {"stress", "check every NOC atomic under contention", tf_cli_stress},
    {"disasm", "disassemble a program: RV32 and Tensix instructions", tf_cli_disasm},
    {"isa", "list the Tensix instructions, their state and their tests", tf_cli_isa},
    {"demo", "run twelve workloads; print a table and draw the chip", tf_cli_demo},
    {"compare", "run a program on several simulators, and show the first difference", tf_cli_compare},
    {"timing", "compare the cycles of two runs in timing mode", tf_cli_timing},
    {"bench", "measure the speed of tilefarm on this host", tf_cli_bench},
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static int print_help(void)
{
    printf("tilefarm %s\nA whole Tenstorrent chip in software: " TF_CLI_FAMILY_TITLES "\n\n"
           "Usage: tilefarm COMMAND [options]\n\nCommands:\n",
           tf_version());
    for (size_t i = 0; i < COMMANDS; i++) {
        printf("  %-9s ", commands[i].name);
        tf_help_print_line(12, 4, commands[i].summary);
    }
    putchar('\n');
    tf_help_print_line(
        0, 0, "'tilefarm help COMMAND' prints the options of a command; 'tilefarm --version' prints the version.");
    tf_help_print_line(0, 0,
                       "Exit codes: 0 success, 1 the run failed, 2 wrong usage or input, 3 deadlock, 4 limit, 130 "
                       "interrupted, 143 terminated.");
    return tf_cli_finish(TF_EXIT_OK);
}

static const struct tf_command *find_command(const char *name)
{
    struct tf_guess guess = {.given = name, .prefix = ""};
    char meant[TF_GUESS_BYTES];
    if (tf_workload_find(name) != NULL) {
        tf_cli_error("no command '%s': it is a workload; run it by 'tilefarm run %s'", name, name);
        return NULL;
    }
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
        tf_guess_offer(&guess, commands[i].name);
    }
    if (name[0] == '-') {
        tf_cli_error("no command '%s': options follow the command, as in 'tilefarm run %s'", name, name);
        return NULL;
    }
    if (guess.best == NULL)
        guess.prefix = "run ";
    for (const struct tf_workload *const *at = tf_workloads; guess.prefix[0] != '\0' && *at != NULL; at++)
        tf_guess_offer(&guess, (*at)->name);
    tf_cli_error("no command '%s'%s; see 'tilefarm --help'", name, tf_guess_text(&guess, meant));
    return NULL;
}

/* Print the options of a command, in the form that `how` names: --help, or one of help.h. */
static int help_of(const struct tf_command *command, const char *how)
{
    char name[32], option[32], *arguments[] = {name, option, NULL};
    snprintf(name, sizeof name, "%s", command->name);
    snprintf(option, sizeof option, "%s", how);
    return command->run(2, arguments);
}

/* clang-format off */
static const char completion[] =
    "  esac\n"
    "  if [ \"$cur\" = = ]; then prev=$prev= cur=; elif [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}=; fi\n"
    "  while IFS=$'\\t' read -r name values; do\n"
    "    [ \"$name\" = \"$prev\" ] && [ -n \"$values\" ] || continue\n"
    "    local families='" TF_CLI_FAMILY_NAMES "' word\n"
    "    for word in \"${COMP_WORDS[@]}\"; do [[ \"|$families|\" != *\"|$word|\"* ]] || families=$word; done\n"
    "    case $name,$values in\n"
    "    --board,*) values=$(export COLUMNS=0\n"
    "      for arch in ${families//|/ }; do \"$tilefarm\" describe --arch $arch; done 2>/dev/null)\n"
    "      values=$(cut -d ' ' -f 1 <<<\"$values\") ;;\n"
    "    --variant,*) values=$(COLUMNS=0 \"$tilefarm\" list 2>/dev/null | awk -v words=\" ${COMP_WORDS[*]} \" '"
    TF_VARIANTS "') ;;\n"
    "    --op,*) values=\"all $(\"$tilefarm\" stress --list 2>/dev/null | sed '1d;s/ .*//')\" ;;\n"
    "    *,CORE=*) values='B= NC= T0= T1= T2= E0= E1= DRISC='; compopt -o nospace 2>/dev/null ;;\n"
    "    *FILE*) _tilefarm_files -f; return ;;\n"
    "    *FOLDER*) _tilefarm_files -d; return ;;\n"
    "    *'|'*) values=$(tr '|' '\\n' <<<\"$values\" | grep -vxE 'N|NAME|CYCLES|.*:.*') ;;\n"
    "    *) return ;;\n"
    "    esac\n"
    "    COMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))\n"
    "    return\n"
    "  done <<<\"$options\"\n"
    "  case $prev,$cur in\n"
    "  *=,*) _tilefarm_files -f; return ;;\n"
    "  *,-*) COMPREPLY=($(compgen -W \"$(cut -f 1 <<<\"$options\" | grep -v =)\" -- \"$cur\")); return ;;\n"
    "  esac\n"
    "  case ${COMP_WORDS[1]} in\n"
    "  run | explore) values=$(COLUMNS=0 \"$tilefarm\" list 2>/dev/null) ;;\n"
    "  bench | litmus) values=$(COLUMNS=0 \"$tilefarm\" \"${COMP_WORDS[1]}\" --list 2>/dev/null) ;;\n"
    "  compare) _tilefarm_files -f; values=$(COLUMNS=0 \"$tilefarm\" list 2>/dev/null) ;;\n"
    "  *) _tilefarm_files -f; return ;;\n"
    "  esac\n"
    "  COMPREPLY+=($(compgen -W \"$(cut -d ' ' -f 1 <<<\"$values\")\" -- \"$cur\"))\n"
    "}\n"
    "_tilefarm_files() {\n"
    "  compopt -o filenames 2>/dev/null\n"
    "  COMPREPLY=($(compgen \"$1\" -- \"$cur\"))\n"
    "}\n"
    "complete -F _tilefarm tilefarm\n";
/* clang-format on */

static void print_commands(void)
{
    for (size_t i = 0; i < COMMANDS; i++)
        printf(" %s", commands[i].name);
}

/* Print a script for bash, with the options of each command, and their values where the table lists them. */
static int print_completion(void)
{
    printf("# bash completion for tilefarm %s\n_tilefarm() {\n"
           "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options='' name values\n"
           "  local tilefarm=${COMP_WORDS[0]/#~/$HOME}\n"
           "  COMPREPLY=()\n  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W 'help",
           tf_version());
    print_commands();
    printf(" --help --version' -- \"$cur\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n"
           "  help) COMPREPLY=($(compgen -W '");
    print_commands();
    printf("' -- \"$cur\")); return ;;\n");
    for (size_t i = 0; i < COMMANDS; i++) {
        printf("  %s) options='", commands[i].name);
        int code = help_of(&commands[i], TF_HELP_WORDS);
        if (code != TF_EXIT_OK)
            return code;
        printf("' ;;\n");
    }
    printf("%s", completion);
    return tf_cli_finish(TF_EXIT_OK);
}

/* `tilefarm help`, `tilefarm help COMMAND`; for packages `tilefarm help --man [COMMAND]` and
   `--completion [bash|zsh|fish]`. */
static int help(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0)
        return print_help();
    if (strcmp(argv[1], "--completion") == 0 && (argc < 3 || strcmp(argv[2], "bash") == 0))
        return print_completion();
    if (strcmp(argv[1], "--completion") == 0)
        return tf_shells_print(argv[2], commands, COMMANDS);
    bool manual = strcmp(argv[1], "--man") == 0;
    if (manual && argc < 3) {
        tf_help_print_overview(commands, COMMANDS);
        return tf_cli_finish(TF_EXIT_OK);
    }
    const struct tf_command *command = find_command(argv[1 + manual]);
    if (command != NULL && manual)
        tf_help_print_title(command);
    return command == NULL ? TF_EXIT_USAGE : help_of(command, manual ? TF_HELP_MANUAL : "--help");
}

/* Open /dev/null for a closed standard stream. Otherwise the next opened file would get its number, and reports would
   go into that file. */
static void hold_standard_streams(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
            return;
}

/* hwloc would load its plugins for GPUs, PCI and X, with some twenty libraries: a third of the time of a short run.
   CPUs, caches and nodes of memory need none of them. The user's own setting stands. */
static void go_without_plugins(void)
{
    setenv("HWLOC_PLUGINS_PATH", "", 0);
}

int main(int argc, char **argv)
{
    hold_standard_streams();
    go_without_plugins();
    if (argc < 2) {
        tf_cli_error("a command is missing; see 'tilefarm --help'");
        return TF_EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_help();
    if (strcmp(name, "help") == 0)
        return help(argc - 1, argv + 1);
    if (strcmp(name, "--version") == 0) {
        printf("tilefarm %s, commit %s\n", tf_version(), tf_commit());
        return tf_cli_finish(TF_EXIT_OK);
    }
    const struct tf_command *command = find_command(name);
    return command == NULL ? TF_EXIT_USAGE : command->run(argc - 1, argv + 1);
}
