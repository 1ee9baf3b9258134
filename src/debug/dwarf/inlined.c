/* SPDX-License-Identifier: Apache-2.0 */
/* Finds calls that a compiler has inlined. DWARF names them inlined subroutines. */
#include "debug/dwarf/inlined.h"

#include <dwarf.h>
#include <stdlib.h>

#include "debug/dwarf/dw.h"

#define DEPTH_MAX 64u
#define ENTRIES_MAX 1000000u /* of a file, and places of calls; those of a broken file may form a cycle */

/* A walk through the entries of a unit of compilation. */
struct walk {
    struct tf_inlines *inlines;
    const struct tf_dw *dw;
    Dwarf_Files *files;
    unsigned left;  /* entries that may still be visited */
    unsigned calls; /* so far */
};

static unsigned number_of(const struct tf_dw *dw, Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    bool has = dw->attr(die, name, &attribute) != NULL && dw->udata(&attribute, &value) == 0;
    return has && value <= INT32_MAX ? (unsigned)value : 0;
}

static bool add(struct tf_inlines *inlines, const struct tf_inlined *inlined)
{
    if (inlines->count == inlines->room) {
        size_t room = inlines->room == 0 ? 64 : 2 * inlines->room;
        struct tf_inlined *grown = realloc(inlines->inlined, room * sizeof *grown);
        if (grown == NULL)
            return false;
        inlines->inlined = grown;
        inlines->room = room;
    }
    inlines->inlined[inlines->count++] = *inlined;
    return true;
}

/* A call may be inlined at several places. */
static void take(struct walk *walk, Dwarf_Die *die, unsigned depth)
{
    const struct tf_dw *dw = walk->dw;
    struct tf_inlined made = {.name = dw->name(die),
                              .file = dw->declfile(die),
                              .depth = depth,
                              .number = walk->calls++};
    int line = 0;
    made.line = dw->declline(die, &line) == 0 && line > 0 ? (unsigned)line : 0;
    made.from_file = dw->filesrc(walk->files, number_of(dw, die, DW_AT_call_file), NULL, NULL);
    made.from_line = number_of(dw, die, DW_AT_call_line);
    if (made.name == NULL || made.from_file == NULL || made.from_line == 0)
        return;
    Dwarf_Addr base = 0, start, end;
    for (ptrdiff_t at = 0; (at = dw->ranges(die, at, &base, &start, &end)) > 0;) {
        made.start = (uint32_t)start;
        made.end = (uint32_t)end;
        if (walk->inlines->count == ENTRIES_MAX || !add(walk->inlines, &made))
            return;
    }
}

static void visit(struct walk *walk, Dwarf_Die *parent, unsigned depth, unsigned inlined)
{
    Dwarf_Die die;
    if (depth >= DEPTH_MAX || walk->dw->child(parent, &die) != 0)
        return;
    do {
        bool is_inlined = walk->dw->tag(&die) == DW_TAG_inlined_subroutine;
        if (walk->left == 0)
            return;
        walk->left--;
        if (is_inlined)
            take(walk, &die, inlined);
        visit(walk, &die, depth + 1, inlined + is_inlined);
    } while (walk->dw->sibling(&die, &die) == 0);
}

static int inner_first(const void *a, const void *b)
{
    const struct tf_inlined *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth > y->depth ? -1 : 1;
    return x->start != y->start ? (x->start < y->start ? -1 : 1) : 0;
}

void tf_inlines_find(struct tf_inlines *inlines, const struct tf_dw *dw, Dwarf *dwarf)
{
    struct walk walk = {.inlines = inlines, .dw = dw, .left = ENTRIES_MAX};
    Dwarf_Off offset = 0, next;
    size_t header, files;
    Dwarf_Die die;
    for (; dwarf != NULL && dw->nextcu(dwarf, offset, &next, &header, NULL, NULL, NULL) == 0; offset = next)
        if (dw->offdie(dwarf, offset + header, &die) != NULL && dw->getfiles(&die, &walk.files, &files) == 0)
            visit(&walk, &die, 0, 0);
    if (inlines->count != 0)
        qsort(inlines->inlined, inlines->count, sizeof *inlines->inlined, inner_first);
}
