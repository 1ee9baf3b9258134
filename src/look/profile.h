/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile: instructions executed and cycles waited, by call path and line, over all tiles. It is exact, since every
 * instruction is counted. Each core name (B, T0) is the root of its paths.
 */
#ifndef LOOK_PROFILE_H
#define LOOK_PROFILE_H

#include <stdio.h>

#include "debug/symbols.h"

struct tf_cores;

/* A place in a program. */
struct tf_code_place {
    const struct tf_program *program; /* NULL: unknown */
    uint32_t pc;
    uint32_t function; /* of the profile */
    const char *file;  /* NULL: unknown */
    unsigned line;
    uint32_t inlined;  /* the first of the inlined calls that it lies in, */
    unsigned inlines;  /* and how many they are, innermost first */
    uint64_t executed; /* times that the instruction has retired */
    uint64_t waited;   /* cycles */
};

/* A call that the compiler has inlined. */
struct tf_inlined_call {
    uint32_t function; /* that is called */
    unsigned line;     /* of the call, in the function around it */
};

struct tf_function {
    const char *name;
    const char *file; /* NULL: unknown */
    unsigned line;
    uint64_t executed, waited; /* on its own, by instructions and cycles */
};

/* A function on a call path. Inlined calls are calls. Cycles include neither callees nor, with `executed`, waiting. */
struct tf_call {
    uint32_t parent, child, sibling; /* 0: none; number 0 is above all cores */
    uint32_t function;
    uint64_t executed, waited;             /* on its own */
    uint64_t executed_total, waited_total; /* with callees */
};

/* A place on a path of calls. */
struct tf_sample {
    uint32_t path; /* of `site` */
    uint32_t place;
    uint64_t executed, waited;
    uint32_t l1_bytes; /* of the largest tile: addresses of code lie below it */
};

/* A row of call sites. */
struct tf_site_path {
    uint32_t parent; /* 0: none; number 0 is above all cores */
    uint32_t place;  /* of the call; of a core's root: its number */
    uint32_t call;   /* of the functions' tree, where the callee's parent is */
};

struct tf_mix {
    const char *name;
    uint64_t executed;
};

struct tf_profile {
    struct tf_symbols *symbols;
    struct tf_code_place *place;
    struct tf_inlined_call *inlined;
    struct tf_function *function;
    struct tf_call *call;
    struct tf_sample *sample;
    struct tf_site_path *path;
    struct tf_mix *mix; /* most frequent first */
    uint32_t places, inlineds, functions, calls, samples, paths, mixes;
    uint64_t executed, waited;
    uint32_t l1_bytes; /* of the largest tile: addresses of code lie below it */
    bool lost;         /* the host had no memory for some of it */
    struct tf_profile_index *index;
};

/* The function of the source that a place lies in, which may be inlined. */
static inline uint32_t tf_place_function(const struct tf_profile *profile, const struct tf_code_place *place)
{
    return place->inlines == 0 ? place->function : profile->inlined[place->inlined].function;
}

/* Gather what cores have counted, while the chip lives. NULL: no memory. */
struct tf_profile *tf_profile_gather(const struct tf_cores *cores, struct tf_symbols *symbols);
void tf_profile_free(struct tf_profile *profile);

/* The forms of a profile. */
enum tf_profile_form {
    TF_PROFILE_TEXT,
    TF_PROFILE_FOLDED, /* FlameGraph's folded stacks */
    TF_PROFILE_PPROF,  /* pprof's profile.proto */
    TF_PROFILE_PPROF_GZ,
    TF_PROFILE_SVG, /* a flame graph */
};

/* The form that the name of a file asks for. */
enum tf_profile_form tf_profile_form_of(const char *path);

/* False: no memory. */
bool tf_profile_write(const struct tf_profile *profile, enum tf_profile_form form, FILE *file);

/* How often the instruction at an address of a program has retired. */
uint64_t tf_profile_executed(const struct tf_profile *profile, const struct tf_program *program, uint32_t pc);

/* Coverage of all programs with line tables, in lcov's format. False: no memory. */
bool tf_profile_coverage(struct tf_profile *profile, FILE *file);

#endif
