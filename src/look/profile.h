/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile: instructions executed and cycles waited, by call path and line, over all tiles. It is exact, since every
 * instruction is counted. Each core name (B, T0) is the root of its paths; in a system, below its chip.
 */
#ifndef LOOK_PROFILE_H
#define LOOK_PROFILE_H

#include <stdio.h>

#include "debug/symbols.h"

struct tf_cores;

/* An instruction of a program. "Index" is one into an array of struct tf_profile, in all structs below. */
struct tf_code_place {
    const struct tf_program *program; /* NULL: unknown */
    uint32_t pc;
    uint32_t function; /* index of the function in the symbol table that has it */
    const char *file;  /* NULL: unknown */
    unsigned line;
    uint32_t inlined;  /* index of the innermost inlined call around it; the outer ones follow */
    unsigned inlines;  /* how many inlined calls there are around it */
    uint64_t executed; /* how often it has retired */
    uint64_t waited;   /* cycles that cores have waited there */
};

/* A call that the compiler has inlined. */
struct tf_inlined_call {
    uint32_t function; /* index of the called function */
    unsigned line;     /* of the call, in the caller */
};

struct tf_function {
    const char *name;
    const char *file; /* NULL: unknown */
    unsigned line;
    uint64_t executed, waited; /* instructions and cycles, without callees */
};

/* A function on a call path: a node of a tree. Inlined calls count as calls. */
struct tf_call {
    uint32_t parent, child, sibling;       /* indices; 0: none. Node 0 is the root, whose children are the cores */
    uint32_t function;                     /* index */
    uint64_t executed, waited;             /* instructions and cycles, without callees */
    uint64_t executed_total, waited_total; /* with callees */
};

/* An instruction on a path of call sites. */
struct tf_sample {
    uint32_t path;  /* index */
    uint32_t place; /* index */
    uint64_t executed, waited;
};

/* A path of call sites: a node of a tree. */
struct tf_site_path {
    uint32_t parent; /* index; 0: none. Node 0 is the root */
    uint32_t place;  /* index of the call instruction; of a core: its number */
    uint32_t call;   /* index of the caller's node in the tree of struct tf_call */
};

/* How often an instruction of the instruction set was executed. */
struct tf_mix {
    const char *name;
    uint64_t executed;
};

/* The counters of a chip, and the names of its programs. */
struct tf_profile_part {
    const struct tf_cores *cores;
    struct tf_symbols *symbols;
    unsigned chip;         /* its number in a system */
    const uint8_t *chosen; /* cores that the profile has, by tile, as bits; NULL: all that are counted */
};

/* A profile: the arrays that the structs above describe. */
struct tf_profile {
    const char *title;                  /* of the run; NULL: none */
    const struct tf_profile_part *part; /* what it was made of */
    unsigned parts;
    struct tf_code_place *place;
    struct tf_inlined_call *inlined;
    struct tf_function *function;
    struct tf_call *call;
    struct tf_sample *sample;
    struct tf_site_path *path;
    struct tf_mix *mix; /* most frequent first */
    uint32_t places, inlineds, functions, calls, samples, paths, mixes;
    uint64_t executed, waited;
    uint32_t l1_bytes;              /* of the largest tile: addresses of code lie below it */
    bool lost;                      /* the host had no memory for some of it */
    struct tf_profile_index *index; /* while it is gathered */
};

/* The index of the source function that has a place: the innermost inlined one, if there is one. */
static inline uint32_t tf_place_function(const struct tf_profile *profile, const struct tf_code_place *place)
{
    return place->inlines == 0 ? place->function : profile->inlined[place->inlined].function;
}

/* Make a profile of chips of one family, while they exist. Of several chips, each is a root above its cores. part: as
   long as the profile. Returns NULL if the host has no memory. */
struct tf_profile *tf_profile_gather(const struct tf_profile_part *part, unsigned parts);
void tf_profile_free(struct tf_profile *profile);

/* The forms of a profile. */
enum tf_profile_form {
    TF_PROFILE_TEXT,
    TF_PROFILE_FOLDED, /* FlameGraph's folded stacks */
    TF_PROFILE_PPROF,  /* pprof's profile.proto */
    TF_PROFILE_PPROF_GZ,
    TF_PROFILE_SVG, /* a flame graph */
};

/* How often the instruction at an address of a program has retired. */
uint64_t tf_profile_executed(const struct tf_profile *profile, const struct tf_program *program, uint32_t pc);

/* The cycles of a call with its callees, and waits included. */
static inline uint64_t tf_call_cycles(const struct tf_call *call)
{
    return call->executed_total + call->waited_total;
}

/* Sort the callees of a call, most cycles first. *order has their indices; the caller frees it. Returns their number; 0
   also if the host has no memory. */
uint32_t tf_profile_callees(const struct tf_profile *profile, uint32_t call, uint32_t **order);

/* Sort all functions, most cycles first, in the same way. */
uint32_t tf_profile_functions(const struct tf_profile *profile, uint32_t **order);

#endif
