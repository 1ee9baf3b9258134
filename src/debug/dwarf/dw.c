/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/dwarf/dw.h"

#include <dlfcn.h>

static void *function_of(struct tf_dw *dw, const char *name, bool *all)
{
    void *function = dlsym(dw->library, name);
    *all = *all && function != NULL;
    return function;
}

bool tf_dw_load(struct tf_dw *dw)
{
    bool all = true;
    if (dw->searched)
        return dw->library != NULL;
    dw->searched = true;
    dw->library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (dw->library == NULL)
        return false;
    *(void **)&dw->begin = function_of(dw, "dwarf_begin", &all);
    *(void **)&dw->end = function_of(dw, "dwarf_end", &all);
    *(void **)&dw->nextcu = function_of(dw, "dwarf_nextcu", &all);
    *(void **)&dw->offdie = function_of(dw, "dwarf_offdie", &all);
    *(void **)&dw->haspc = function_of(dw, "dwarf_haspc", &all);
    *(void **)&dw->getsrc = function_of(dw, "dwarf_getsrc_die", &all);
    *(void **)&dw->linesrc = function_of(dw, "dwarf_linesrc", &all);
    *(void **)&dw->lineno = function_of(dw, "dwarf_lineno", &all);
    *(void **)&dw->getlines = function_of(dw, "dwarf_getsrclines", &all);
    *(void **)&dw->oneline = function_of(dw, "dwarf_onesrcline", &all);
    *(void **)&dw->lineaddr = function_of(dw, "dwarf_lineaddr", &all);
    *(void **)&dw->lineend = function_of(dw, "dwarf_lineendsequence", &all);
    *(void **)&dw->getfiles = function_of(dw, "dwarf_getsrcfiles", &all);
    *(void **)&dw->filesrc = function_of(dw, "dwarf_filesrc", &all);
    *(void **)&dw->child = function_of(dw, "dwarf_child", &all);
    *(void **)&dw->sibling = function_of(dw, "dwarf_siblingof", &all);
    *(void **)&dw->tag = function_of(dw, "dwarf_tag", &all);
    *(void **)&dw->name = function_of(dw, "dwarf_diename", &all);
    *(void **)&dw->declfile = function_of(dw, "dwarf_decl_file", &all);
    *(void **)&dw->declline = function_of(dw, "dwarf_decl_line", &all);
    *(void **)&dw->ranges = function_of(dw, "dwarf_ranges", &all);
    *(void **)&dw->attr = function_of(dw, "dwarf_attr", &all);
    *(void **)&dw->udata = function_of(dw, "dwarf_formudata", &all);
    if (!all)
        tf_dw_unload(dw);
    return all;
}

void tf_dw_unload(struct tf_dw *dw)
{
    if (dw->library != NULL)
        dlclose(dw->library);
    dw->library = NULL;
}
