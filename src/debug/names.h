/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of a program's functions, variables and files, as reports print them. A file's names may have any bytes. Names
 * of C++ functions are mangled in it; libstdc++ reads them, which is loaded when a program has one. Without it, and if
 * they are very long, they stay mangled.
 */
#ifndef DEBUG_NAMES_H
#define DEBUG_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* libstdc++, and its __cxa_demangle() of the C++ ABI. */
struct tf_demangler {
    void *library; /* NULL: not loaded */
    bool searched;
    char *(*demangle)(const char *mangled, char *buffer, size_t *bytes, int *status);
};

/* Load it if the name is mangled. Only the first call searches for it. */
void tf_demangler_load(struct tf_demangler *demangler, const char *name);
void tf_demangler_unload(struct tf_demangler *demangler);

/* The names of a program that differ from those in its file: a tree of tsearch(). */
struct tf_names {
    void *tree;
};

/* The printed form of a name of the file, which must live as long as `names`; so does the result. `raw` may be NULL. */
const char *tf_names_shown(struct tf_names *names, const struct tf_demangler *demangler, const char *raw);
void tf_names_free(struct tf_names *names);

/* Does a user mean this name? Of a C++ function, `wanted` may leave out the parameters. */
bool tf_name_is(const char *shown, const char *wanted);

#endif
