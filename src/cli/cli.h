/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the subcommands of `tilefarm` share: the table of them, errors, the reading of numbers and places, files that
 * are written whole or not at all, and Ctrl-C.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tilefarm/tilefarm.h"

/* How the process ends. */
enum tf_exit {
    TF_EXIT_OK = 0,
    TF_EXIT_FAILED = 1,        /* the run failed: a fault, or the check of the results */
    TF_EXIT_USAGE = 2,         /* the command line or a file is wrong */
    TF_EXIT_INTERRUPTED = 130, /* as a shell reports SIGINT */
};

/* A subcommand. argv[0] is its name; the result is an enum tf_exit. */
struct tf_command {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
};

int tf_cli_list(int argc, char **argv);
int tf_cli_topo(int argc, char **argv);
int tf_cli_run(int argc, char **argv);
int tf_cli_stress(int argc, char **argv);
int tf_cli_disasm(int argc, char **argv);
int tf_cli_isa(int argc, char **argv);
int tf_cli_demo(int argc, char **argv);
int tf_cli_compare(int argc, char **argv);
int tf_cli_bench(int argc, char **argv);

/* --- text.c: errors, numbers, places --- */

/* One line on standard error, after "tilefarm: ". */
void tf_cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Decimal or 0x, with a suffix: k M G (thousands) or Ki Mi Gi. The whole text must be the number. */
bool tf_cli_u64(const char *text, uint64_t *value);

/* The value of an option, within limits; else an error line that names both. */
bool tf_cli_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value);

/* Text between tags of an SVG file. */
void tf_cli_print_xml(FILE *out, const char *text);

/* "B", "nc", "T0", or the firmware's names: brisc, ncrisc, trisc0. */
bool tf_cli_core(const char *text, enum tf_core *core);

/* A node: a tile's index, or "x,y". Off the grid, or no such tile: false, without an error line. */
bool tf_cli_node(const char *text, struct tf_coord *node);

/* "auto", which is 0, or 1..256. */
bool tf_cli_threads(const char *option, const char *text, unsigned *threads);

struct tf_tile_set {
    bool has[TF_TENSIX_TILES];
    unsigned count;
};

/* Tiles: "all", an index, a range "0-139", coordinates "x,y", or several of these joined by "+". */
bool tf_cli_tiles(const char *text, struct tf_tile_set *tiles);

/* A number with its thousands set apart by commas, in text, which is returned. */
#define TF_GROUPED_BYTES 28
char *tf_cli_grouped(uint64_t value, char text[TF_GROUPED_BYTES]);

/* A figure to three digits with k, M, G or T behind it. */
char *tf_cli_short(double value, char text[TF_GROUPED_BYTES]);

/* True when a stream is a terminal that takes colours (NO_COLOR unset, TERM not "dumb"). */
bool tf_cli_colours(FILE *stream);

/* Report what standard output swallowed (a full disk, a closed pipe): TF_EXIT_FAILED instead of TF_EXIT_OK. */
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

/* --- options.c: command lines --- */

/* What an option does to its field. */
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
    bool optional;        /* the argument may be left out */
    enum tf_option_kind kind;
    size_t offset;        /* of the field, in the structure that tf_cli_options() fills */
    uint64_t least, most;
    bool (*call)(void *into, const char *option, const char *value); /* false after an error line */
};

/* The row of --threads, for a field of a structure. */
#define TF_OPTION_OF_THREADS(struct_, field_)                                                                          \
    {.name = "threads", .argument = "N|auto", .help = "worker threads; auto is one for each allowed core",             \
     .kind = TF_OPTION_THREADS, .offset = offsetof(struct_, field_)}

/* What a subcommand says about itself. */
struct tf_usage {
    const char *synopsis; /* after "tilefarm " */
    const char *text;     /* what it does; whole lines */
    const struct tf_option *option;
    unsigned options;
    unsigned operands_least, operands_most;
};

/*
 * Read a command line into a structure that holds the defaults. Returns -1 when the command is to go on, with the
 * operands at argv[*first] .. argv[argc - 1]. Otherwise the command ends with the returned code: help was printed, or
 * an error line.
 */
int tf_cli_options(int argc, char **argv, const struct tf_usage *usage, void *into, int *first);

/* --- file.c: files that are read or written whole --- */

/* A whole file in memory, to be freed; NULL after an error line. Limit: TF_CLI_FILE_BYTES_MAX. */
#define TF_CLI_FILE_BYTES_MAX (1u << 30)
void *tf_cli_read_file(const char *path, size_t *bytes);

/*
 * A file being written. It is a temporary beside its target until tf_output_commit(), so that a target is never half
 * written; where renaming makes no sense (a pipe, a terminal, a device, "-" for standard output) it is the target.
 */
struct tf_output {
    FILE *file;
    char *path;      /* as given */
    char *target;    /* links followed */
    char *temporary; /* NULL when written in place */
};

/* Find out now whether it can be written; an error line and false when not. */
bool tf_output_open(struct tf_output *output, const char *path);

/* Put the file in place. An error line and false when the disk is full. */
bool tf_output_commit(struct tf_output *output);

/* Leave no trace. Does nothing for an output that was committed or is all zero. */
void tf_output_discard(struct tf_output *output);

/* --- interrupt.c: Ctrl-C --- */

/*
 * From start to end the first SIGINT, SIGTERM or SIGHUP stops the chip at an epoch's end, and the second one ends the
 * process, with the outputs discarded. A thread waits for the signals, which are blocked everywhere else: start before
 * a chip starts its workers.
 */
struct tf_interrupt {
    pthread_t thread;
    pthread_mutex_t lock;
    struct tf_chip *chip;       /* what to stop */
    struct tf_output *outputs;  /* what to discard */
    unsigned output_count;
    unsigned signals;
    sigset_t before;            /* the mask to go back to */
    bool ending, on;
};

/* An error line and false when the host refuses the thread. */
bool tf_interrupt_start(struct tf_interrupt *interrupt, struct tf_output *outputs, unsigned output_count);

/* The chip to stop from now on; NULL before it is destroyed. Nothing without an interrupt. */
void tf_interrupt_chip(struct tf_interrupt *interrupt, struct tf_chip *chip);

/* True once a signal came. */
bool tf_interrupt_came(struct tf_interrupt *interrupt);

/* tf_output_commit() for all outputs, which a second signal cannot cut short. False when one failed. */
bool tf_interrupt_commit(struct tf_interrupt *interrupt);

/* Signals act as before again; outputs that were not committed are discarded. */
void tf_interrupt_end(struct tf_interrupt *interrupt);

#endif
