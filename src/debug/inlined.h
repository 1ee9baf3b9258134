/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that compilers have inlined. */
#ifndef DEBUG_INLINED_H
#define DEBUG_INLINED_H

#include <stddef.h>
#include <stdint.h>

struct Dwarf;
struct tf_dw;

/* A call that the compiler has inlined. All texts live as long as the symbols. */
struct tf_inlined {
    uint32_t start, end; /* its code */
    const char *name;    /* the function that is called, */
    const char *file;    /* where it is; NULL: unknown */
    unsigned line;
    const char *from_file; /* where the call is */
    unsigned from_line;
    unsigned depth; /* inlined calls around it */
};

/* All inlined calls of a program, inner ones before those around them. */
struct tf_inlines {
    struct tf_inlined *inlined;
    size_t count, room;
};

/* `dwarf` may be NULL. Without memory some are missing. */
void tf_inlines_find(struct tf_inlines *inlines, const struct tf_dw *dw, struct Dwarf *dwarf);

#endif
