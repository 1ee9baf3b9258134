/* SPDX-License-Identifier: Apache-2.0 */
/* Ctrl-C. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

struct tf_chip;
struct tf_interrupt;
struct tf_output;
struct tf_save;
struct tf_system;

/* Begin to handle signals. Returns false after an error line: the host refuses the thread. */
bool tf_interrupt_start(struct tf_interrupt *interrupt, struct tf_output *outputs, unsigned output_count);

/* Open an output, one of those that tf_interrupt_start() was given. A signal meanwhile ends the process, and leaves no
   file. Returns false after an error line. */
bool tf_interrupt_open(struct tf_interrupt *interrupt, struct tf_output *output, const char *path);

/*
 * For a command whose processes fork. It has opened its outputs by tf_interrupt_open(), and this ends the handling of
 * signals that tf_interrupt_start() began. The rest of the command is a process of its own, in which this returns. The
 * calling process waits for the new one, and ends in the same way. At the first SIGINT, SIGTERM or SIGHUP it ends the
 * new process, removes the outputs' temporary files, and ends with an error line. Returns false after an error line.
 */
bool tf_interrupt_guard(struct tf_interrupt *interrupt);

/* Handle no signals, in a process that forks. The other functions work as before. */
void tf_interrupt_none(struct tf_interrupt *interrupt, struct tf_output *outputs, unsigned output_count);

/* Set the files of tf_chip_save() that a second signal leaves incomplete; none before they go. Does nothing when
   `interrupt` is NULL. */
void tf_interrupt_saves(struct tf_interrupt *interrupt, const struct tf_save *save, unsigned saves);

/* The same for the save of a system, while it is being written; NULL after that. `interrupt` is not NULL. */
void tf_interrupt_system_save(struct tf_interrupt *interrupt, const char *path);

/* Set the chip that signals stop; NULL before the chip is destroyed. Does nothing when `interrupt` is NULL. */
void tf_interrupt_chip(struct tf_interrupt *interrupt, struct tf_chip *chip);

/* The same for a system. `interrupt` is not NULL. */
void tf_interrupt_system(struct tf_interrupt *interrupt, struct tf_system *system);

/* Forget a signal: the next one is a first one again. */
void tf_interrupt_forget(struct tf_interrupt *interrupt);

/* Returns true after a signal. Returns false if `interrupt` is NULL. */
bool tf_interrupt_received(struct tf_interrupt *interrupt);

/* Returns the name of the signal that came first, as "SIGTERM". Returns NULL if none came or `interrupt` is NULL. */
const char *tf_interrupt_name(struct tf_interrupt *interrupt);

/* Commit all outputs; a second signal waits until this is done. Returns false if one failed. */
bool tf_interrupt_commit(struct tf_interrupt *interrupt);

/* Restore the signal mask, and discard outputs that were not committed. Returns `code`; after a signal that of the
   signal for TF_EXIT_INTERRUPTED. */
int tf_interrupt_end(struct tf_interrupt *interrupt, int code);

#endif
