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
#include "tilefarm/tilefarm.h"

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

int tf_cli_describe(int argc, char **argv);
int tf_cli_list(int argc, char **argv);
int tf_cli_topo(int argc, char **argv);
int tf_cli_run(int argc, char **argv);
int tf_cli_replay(int argc, char **argv);
int tf_cli_stress(int argc, char **argv);
int tf_cli_explore(int argc, char **argv);
int tf_cli_litmus(int argc, char **argv);
int tf_cli_disasm(int argc, char **argv);
int tf_cli_isa(int argc, char **argv);
int tf_cli_demo(int argc, char **argv);
int tf_cli_compare(int argc, char **argv);
int tf_cli_bench(int argc, char **argv);
int tf_cli_cc(int argc, char **argv);

/* --- text.c: errors, numbers, places --- */

/* Print one line on standard error, after "tilefarm: ". Characters that would not print are escaped. */
void tf_cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Read a number: decimal or 0x, with a suffix k, M, G (thousands), Ki, Mi or Gi. Returns false if the text is not a
   number. */
bool tf_cli_u64(const char *text, uint64_t *value);

/* Read the value of an option, least..most. Returns false after an error line that names the option and the value. */
bool tf_cli_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value);

/* Print text between tags of an SVG file. */
void tf_cli_print_xml(FILE *out, const char *text);

/* Read a core: "B", "nc", "T0", or the names that firmware uses: brisc, ncrisc, trisc0. */
bool tf_cli_core(const char *text, enum tf_core *core);

/* Read a node: a tile index, or "x,y", raw NOC 0 coordinates or translated ones off the grid. False, without an error
   line: there is no such tile or node. */
bool tf_cli_node(const struct tf_arch *arch, const char *text, struct tf_coord *node);

/* The family's name in reports; NULL: that of the default family. */
const char *tf_cli_title(const struct tf_arch *arch);

/* Read a number of threads: "auto", which gives 0, or 1..TF_WORKERS_MAX. Returns false after an error line. */
bool tf_cli_threads(const char *option, const char *text, unsigned *threads);

struct tf_tile_set {
    bool has[TF_TENSIX_TILES_MAX];
    unsigned count;
};

/* Read tiles: "all", an index, a range "0-139", coordinates "x,y", or several of these joined by "+". */
bool tf_cli_tiles(const struct tf_arch *arch, const char *text, struct tf_tile_set *tiles);

/* Read ports of Ethernet tiles: "all", a number, a range "0-11", or several of these joined by "+". */
bool tf_cli_ports(unsigned ports, const char *text, struct tf_tile_set *set);

/* Read E0 or E1, the name of a core of Ethernet tiles. */
bool tf_cli_eth_core(const char *text, enum tf_core *core);

/* Write a figure with three digits and k, M, G or T. Returns `text`. */
char *tf_cli_short(double value, char text[TF_GROUPED_BYTES]);

/*
 * Show a progress line on standard error, over the one before. It is cut to the width of the terminal: a longer line
 * would wrap, and its start would stay on the screen.
 */
void tf_cli_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Remove the progress line. */
void tf_cli_progress_end(void);

/* Returns true if a stream is a terminal that takes colours (NO_COLOR unset, TERM not "dumb"). */
bool tf_cli_colours(FILE *stream);

/* Flush standard output. When that fails (a full disk, a closed pipe), print an error line and make TF_EXIT_OK
   TF_EXIT_FAILED. */
int tf_cli_finish(int result);

/* --- guess.c: a name that was probably meant --- */

/* Collects the name that is closest to a given one. Set `given` and `prefix`, leave the rest zero. */
struct tf_guess {
    const char *given;
    const char *prefix; /* printed before the name */
    const char *best;
    unsigned distance; /* letters that differ between the two */
};

/* Offer a name. It must live as long as the guess. */
void tf_guess_offer(struct tf_guess *guess, const char *name);

/* " (did you mean 'NAME'?)", or "" when no name is close. Returns `text`. */
#define TF_GUESS_BYTES 96
const char *tf_guess_text(const struct tf_guess *guess, char text[TF_GUESS_BYTES]);

/* The chip families, in help texts and messages. */
#define TF_CLI_FAMILIES "blackhole or wormhole"
#define TF_CLI_FAMILY_NAMES "blackhole|wormhole"
#define TF_CLI_FAMILY_TITLES "Blackhole or Wormhole"
#define TF_CLI_ARCH_HELP "the chip's family: " TF_CLI_FAMILIES " (default: blackhole)"

/* The chip family that the value of an option names. Returns false after an error line. */
bool tf_cli_arch(const char *option, const char *value, const struct tf_arch **arch);

/* --- options.c: command lines --- */

/* The effect of an option on its field. */
enum tf_option_kind {
    TF_OPTION_SET,     /* bool: true */
    TF_OPTION_CLEAR,   /* bool: false */
    TF_OPTION_U32,     /* uint32_t or unsigned: a number in least..most */
    TF_OPTION_U64,     /* uint64_t: a number in least..most */
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

/* The row of --threads, for a field of a structure. */
/* clang-format off */
#define TF_OPTION_OF_THREADS(struct_, field_)                                                                          \
    {.name = "threads", .argument = "N|auto", .help = "worker threads; auto: one for each idle CPU core allowed",      \
     .kind = TF_OPTION_THREADS, .offset = offsetof(struct_, field_)}
/* The row of --vectors, for a field of a structure. */
#define TF_OPTION_OF_VECTORS(struct_, field_)                                                                          \
    {.name = "vectors", .argument = "auto|portable|avx2|avx512", .kind = TF_OPTION_CHOICE,                             \
     .offset = offsetof(struct_, field_), .least = TF_VECTORS_BEST,                                                    \
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

/*
 * Read a command line into a structure that holds the defaults. Returns -1 when the command is to go on, with the
 * operands at argv[*first] .. argv[argc - 1]. Otherwise the command ends with the returned code: help was printed, or
 * an error line.
 */
int tf_cli_options(int argc, char **argv, const struct tf_usage *usage, void *into, int *first);

/*
 * For a command that passes options on: if argv[*at] is an option of the table, take it, and move *at to its last word.
 * Returns 1; 0 if it is no such option; -1 after an error line. If usage->more lists the options that are passed on,
 * the beginning of a name suffices, and a word that begins no option is an error.
 */
int tf_cli_option_take(int argc, char **argv, const struct tf_usage *usage, void *into, int *at);

/* In place of all arguments: print what the table says as a manual page, or as words for a shell (help.h). */
#define TF_HELP_MANUAL "--help-manual"
#define TF_HELP_WORDS "--help-words"

/* --- file.c: files that are read or written whole --- */

/* Read a whole file, or a pipe up to its end. The caller frees the result. Returns NULL after an error line: also for a
   device, and for more bytes than these limits. */
#define TF_CLI_FILE_BYTES_MAX (1u << 30)
#define TF_CLI_PIPE_BYTES_MAX (256u << 20)
void *tf_cli_read_file(const char *path, size_t *bytes);

/*
 * A file that is being written. Until tf_output_commit() the bytes go to a temporary file beside the target, so that
 * the target is never half written. Pipes, terminals, devices and standard output ("-") are written in place.
 */
struct tf_output {
    FILE *file;
    char *path;             /* as given */
    struct tf_replaced *to; /* NULL: standard output */
};

/* Open a file for writing. Returns false after an error line. */
bool tf_output_open(struct tf_output *output, const char *path);

/* Put the file in place. Returns false after an error line, for example when the disk is full. */
bool tf_output_commit(struct tf_output *output);

/* Remove the temporary file. Does nothing for an output that was committed or is all zero. */
void tf_output_discard(struct tf_output *output);

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
    int signal;               /* the first that came; 0: none */
    double signal_s;          /* when */
    sigset_t before;          /* the signal mask before */
    void (*pipe_before)(int); /* the action of SIGPIPE before */
    bool ending, on;
};

/* Begin to handle signals. Returns false after an error line: the host refuses the thread. */
bool tf_interrupt_start(struct tf_interrupt *interrupt, struct tf_output *outputs, unsigned output_count);

/*
 * For a command whose processes fork, before anything else runs: the rest of the command is a process of its own, in
 * which this returns. The calling process waits for the new one, and ends in the same way. At the first SIGINT, SIGTERM
 * or SIGHUP it ends the new process, removes the outputs' temporary files, and ends with an error line. Returns false
 * after an error line.
 */
bool tf_interrupt_guard(const struct tf_output *outputs, unsigned output_count);

/* Handle no signals, in a process that forks. The other functions work as before. */
void tf_interrupt_none(struct tf_interrupt *interrupt, struct tf_output *outputs, unsigned output_count);

/* Set the files of tf_chip_save() that a second signal leaves incomplete; none before they go. Does nothing when
   `interrupt` is NULL. */
void tf_interrupt_saves(struct tf_interrupt *interrupt, const struct tf_save *save, unsigned saves);

/* Set the chip that signals stop; NULL before the chip is destroyed. Does nothing when `interrupt` is NULL. */
void tf_interrupt_chip(struct tf_interrupt *interrupt, struct tf_chip *chip);

/* The same for a system. `interrupt` is not NULL. */
void tf_interrupt_system(struct tf_interrupt *interrupt, struct tf_system *system);

/* Returns true after a signal. Returns false if `interrupt` is NULL. */
bool tf_interrupt_received(struct tf_interrupt *interrupt);

/* Commit all outputs; a second signal waits until this is done. Returns false if one failed. */
bool tf_interrupt_commit(struct tf_interrupt *interrupt);

/* Restore the signal mask, and discard outputs that were not committed. Returns `code`; after a signal that of the
   signal for TF_EXIT_INTERRUPTED. */
int tf_interrupt_end(struct tf_interrupt *interrupt, int code);

#endif
