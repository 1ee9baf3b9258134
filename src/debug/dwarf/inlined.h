/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that compilers have inlined. */
#ifndef DEBUG_DWARF_INLINED_H
#define DEBUG_DWARF_INLINED_H

#include <stddef.h>
#include <stdint.h>

struct Dwarf;
struct tf_dw;

/* A call that the compiler has inlined. All texts live as long as the symbols. */
struct tf_inlined {
    uint32_t start, end; /* addresses of its code, without `end` */
    const char *name;    /* of the called function */
    const char *file;    /* of that function's source; NULL: unknown */
    unsigned line;
    const char *from_file; /* of the call */
    unsigned from_line;
    unsigned depth;  /* the number of inlined calls around it */
    unsigned number; /* of the call in its program: a call may have code at several places */
};

/* All inlined calls of a program. Inner calls come before the calls around them. */
struct tf_inlines {
    struct tf_inlined *inlined;
    size_t count, room;
};

/* Read them from a program's DWARF; `dwarf` may be NULL. If the host has no memory, some are missing. */
void tf_inlines_find(struct tf_inlines *inlines, const struct tf_dw *dw, struct Dwarf *dwarf);

#endif
