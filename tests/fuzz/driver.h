/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the targets of fuzzing share. A target reads bytes as a parser gets them. With clang's libFuzzer it is that
 * library's target; with driver.c it is a program that makes inputs at random: NAME SECONDS [FILE...]. Inputs are
 * changed copies of the files, or of the target's own seeds. The program prints the seed of its run in TF_SEED=...
 * With that of an input that has failed, this input comes first.
 */
#ifndef FUZZ_DRIVER_H
#define FUZZ_DRIVER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* The target's own inputs to begin with, by number. Returns the bytes, or 0 if there is no such input. */
size_t fuzz_seed(unsigned number, uint8_t *data, size_t room);

/* Words that inputs may have; NULL ends the list. */
extern const char *const fuzz_words[];

/* The size of an input is at most this, and that of the largest seed. */
#define FUZZ_BYTES_MAX (1u << 16)

/* A promise of the parser. */
#define DEMAND(condition)                                                                            \
    do {                                                                                             \
        if (!(condition)) {                                                                          \
            dprintf(fuzz_complaints, "%s:%d: broken promise: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                                 \
        }                                                                                            \
    } while (0)

/* Where complaints go; targets may silence the usual error lines. */
extern int fuzz_complaints;

/* Send what the target prints to /dev/null, and keep complaints. */
void fuzz_silence(void);

/* A file in memory with these bytes. Returns its path, which is valid until the next call, or NULL. */
const char *fuzz_file(const void *data, size_t bytes);

#endif
