/* SPDX-License-Identifier: Apache-2.0 */
/* libdw of elfutils, which is loaded at run time, when it is first needed. */
#ifndef DEBUG_DWARF_DW_H
#define DEBUG_DWARF_DW_H

#include <elfutils/libdw.h>

/* The library, and pointers to its functions dwarf_NAME() that we use. */
struct tf_dw {
    void *library; /* NULL: not loaded */
    bool searched; /* tf_dw_load() was called */
    Dwarf *(*begin)(int fd, Dwarf_Cmd command);
    int (*end)(Dwarf *dwarf);
    int (*nextcu)(Dwarf *dwarf, Dwarf_Off offset, Dwarf_Off *next, size_t *header, Dwarf_Off *abbrev,
                  uint8_t *address_size, uint8_t *offset_size);
    Dwarf_Die *(*offdie)(Dwarf *dwarf, Dwarf_Off offset, Dwarf_Die *die);
    int (*haspc)(Dwarf_Die *die, Dwarf_Addr pc);
    Dwarf_Line *(*getsrc)(Dwarf_Die *die, Dwarf_Addr pc);
    const char *(*linesrc)(Dwarf_Line *line, Dwarf_Word *mtime, Dwarf_Word *length);
    int (*lineno)(Dwarf_Line *line, int *number);
    int (*getlines)(Dwarf_Die *die, Dwarf_Lines **lines, size_t *count);
    Dwarf_Line *(*oneline)(Dwarf_Lines *lines, size_t index);
    int (*lineaddr)(Dwarf_Line *line, Dwarf_Addr *address);
    int (*lineend)(Dwarf_Line *line, bool *ends);
    int (*getfiles)(Dwarf_Die *die, Dwarf_Files **files, size_t *count);
    const char *(*filesrc)(Dwarf_Files *files, size_t index, Dwarf_Word *mtime, Dwarf_Word *length);
    int (*child)(Dwarf_Die *die, Dwarf_Die *child);
    int (*sibling)(Dwarf_Die *die, Dwarf_Die *sibling);
    int (*tag)(Dwarf_Die *die);
    const char *(*name)(Dwarf_Die *die);
    const char *(*declfile)(Dwarf_Die *die);
    int (*declline)(Dwarf_Die *die, int *line);
    ptrdiff_t (*ranges)(Dwarf_Die *die, ptrdiff_t offset, Dwarf_Addr *base, Dwarf_Addr *start, Dwarf_Addr *end);
    Dwarf_Attribute *(*attr)(Dwarf_Die *die, unsigned name, Dwarf_Attribute *attribute);
    int (*udata)(Dwarf_Attribute *attribute, Dwarf_Word *value);
};

/* Load libdw. Only the first call searches for it. Returns false if the host has none. */
bool tf_dw_load(struct tf_dw *dw);
/* Unload it. */
void tf_dw_unload(struct tf_dw *dw);

#endif
