/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts that subcommands of `tilefarm` share. These are their functions, errors, numbers and nodes, command lines,
 * output files that are complete or absent, and Ctrl-C.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "host/replace.h"
#include "host/text.h"
#include "tilefarm/tilefarm_chip.h"

/* Exit codes of the process. */
enum tf_exit {
    TF_EXIT_OK = 0,
    TF_EXIT_FAILED = 1,        /* the run failed: a fault, or wrong results */
    TF_EXIT_USAGE = 2,         /* the command line or a file is wrong */
    TF_EXIT_DEADLOCK = 3,      /* a deadlock: cores wait for an event that cannot happen */
    TF_EXIT_LIMIT = 4,         /* --limit-cycles or --limit-seconds was reached */
    TF_EXIT_INTERRUPTED = 130, /* tf_interrupt_end() makes it 128 plus the number of the signal, as a shell does */
};

/* A subcommand. argv[0] is its name; the result is an enum tf_exit. */
struct tf_command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
};

/* --- text.c: errors, numbers, places --- */

struct tf_tile_set {
    bool has[TF_TENSIX_TILES_MAX];
    unsigned count;
    bool all; /* named as all: where a chip of a system has fewer than its family, those that it has */
};

/* The chip families, in help texts and messages, for files that include tile/arch.h. */
#define TF_CLI_FAMILY(name, title) #name
#define TF_CLI_OR_FAMILY(name, title) " or " #name
#define TF_CLI_BAR_FAMILY(name, title) "|" #name
#define TF_CLI_TITLE(name, title) title
#define TF_CLI_OR_TITLE(name, title) " or " title
#define TF_CLI_NOTHING(name, title)
#define TF_CLI_FAMILIES TF_FAMILIES(TF_CLI_FAMILY, TF_CLI_OR_FAMILY)
#define TF_CLI_FAMILY_NAMES TF_FAMILIES(TF_CLI_FAMILY, TF_CLI_BAR_FAMILY)
#define TF_CLI_FAMILY_TITLES TF_FAMILIES(TF_CLI_TITLE, TF_CLI_OR_TITLE)
#define TF_CLI_ARCH_HELP \
    "the chip's family: " TF_CLI_FAMILIES " (default: " TF_FAMILIES(TF_CLI_FAMILY, TF_CLI_NOTHING) ")"

/* --- options.c: command lines --- */

/* The effect of an option on its field. */
enum tf_option_kind {
    TF_OPTION_SET,     /* bool: true */
    TF_OPTION_CLEAR,   /* bool: false */
    TF_OPTION_U32,     /* uint32_t or unsigned: a number in least..most */
    TF_OPTION_U64,     /* uint64_t: a number in least..most */
    TF_OPTION_SECONDS, /* double: seconds, more than 0 and at most `most` */
    TF_OPTION_TEXT,    /* const char *: points into argv */
    TF_OPTION_CHOICE,  /* an enum: least + the index of the value among the names in `argument`, "a|b|c". Without an
                          argument: least */
    TF_OPTION_EITHER,  /* bool: true for the second of two names in `argument`, "a|b" */
    TF_OPTION_THREADS, /* unsigned: tf_cli_threads() */
    TF_OPTION_ARCH,    /* const struct tf_arch *: tf_cli_arch() */
    TF_OPTION_CALL,    /* calls `call` */
};

/*
 * One option. The parser, --help and the default that --help prints all come from this row. The default is what the
 * field holds before tf_cli_options() reads the command line.
 */
struct tf_option {
    const char *name;
    const char *argument; /* its name in --help; NULL: the option takes none */
    const char *help;
    bool optional; /* the argument may be left out */
    char letter;   /* a short name, for tf_cli_option_take(); 0: none */
    enum tf_option_kind kind;
    size_t offset; /* of the field, in the structure that tf_cli_options() fills */
    uint64_t least, most;
    bool (*call)(void *into, const char *option, const char *value); /* false after an error line */
};

/* --arch, for a field that points to the family. */
#define TF_OPTION_OF_ARCH(struct_, field_)                                                                 \
    {                                                                                                      \
        .name = "arch", .argument = TF_CLI_FAMILY_NAMES, .help = TF_CLI_ARCH_HELP, .kind = TF_OPTION_ARCH, \
        .offset = offsetof(struct_, field_)                                                                \
    }

/* The row of --threads, for a field at an offset in a structure. */
/* clang-format off */
#define TF_OPTION_OF_THREADS(offset_)                                                                                  \
    {.name = "threads", .argument = "N|auto", .help = "worker threads; auto: one for each idle CPU core allowed",      \
     .kind = TF_OPTION_THREADS, .offset = offset_}
/* The row of --vectors, likewise. */
#define TF_OPTION_OF_VECTORS(offset_)                                                                                  \
    {.name = "vectors", .argument = "auto|portable|avx2|avx512", .kind = TF_OPTION_CHOICE,                             \
     .offset = offset_, .least = TF_VECTORS_BEST,                                                                      \
     .help = "vector instructions of the host that simulate coprocessors; results do not depend on them"}
/* clang-format on */

/* A title for an option and those after it. */
struct tf_group {
    const char *first; /* the name of the option */
    const char *title;
};

/* The description of a subcommand. */
struct tf_usage {
    const char *synopsis; /* after "tilefarm " */
    const char *text;     /* what it does; whole lines */
    const struct tf_option *option;
    unsigned options;
    unsigned operands_least, operands_most;
    const struct tf_group *group; /* titles of options, in their order; NULL: none */
    unsigned groups;
    const char *examples;         /* for the manual page: whole lines; or NULL */
    const struct tf_option *more; /* options that the command hands on to another one; NULL: it does not */
    unsigned mores;
};

/* In place of all arguments: print what the table says as a manual page, or as words for a shell (help.h). */
#define TF_HELP_MANUAL "--help-manual"
#define TF_HELP_WORDS "--help-words"

/* --- file.c: files that are read or written whole --- */

/*
 * A file that is being written. Until tf_output_commit() the bytes go to a temporary file beside the target, so that
 * the target is never half written. Pipes, terminals, devices and standard output ("-") are written in place.
 */
struct tf_output {
    FILE *file;
    char *path;             /* as given */
    struct tf_replaced *to; /* NULL: standard output */
};

/* --- interrupt.c: Ctrl-C --- */

struct tf_system;

/* A chip is saved to this file at the end of the first epoch that ends at or after a cycle. */
struct tf_save {
    uint64_t cycle;
    const char *path;
};

/*
 * Between start and end the first SIGINT, SIGTERM or SIGHUP stops the chip at the end of an epoch. The second one
 * discards the outputs and ends the process. One thread waits for the signals, and all other threads block them. So
 * call tf_interrupt_start() before a chip starts its workers.
 */
struct tf_interrupt {
    pthread_t thread;
    pthread_mutex_t lock;
    struct tf_chip *chip;      /* the chip to stop, */
    struct tf_system *system;  /* or the system */
    struct tf_output *outputs; /* the files to discard */
    unsigned output_count;
    const struct tf_save *save; /* the chips that the run saves */
    unsigned saves;
    const char *system_save;  /* the save of a system that is being written; NULL: none */
    int signal;               /* the first that came; 0: none */
    double signal_s;          /* when */
    sigset_t before;          /* the signal mask before */
    void (*pipe_before)(int); /* the action of SIGPIPE before */
    bool ending, on, opening;
};

#endif
