/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/names.h"

#include <dlfcn.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "host/printable.h"

/* A reference repeats an earlier part of the name, so that a short hostile name may stand for gigabytes. */
#define MANGLED_BYTES_MAX 500
#define REFERENCES_MAX 24

struct name {
    const char *raw; /* as it is in the file */
    char shown[];
};

static bool is_mangled(const char *name)
{
    return name[0] == '_' && name[1] == 'Z';
}

void tf_demangler_load(struct tf_demangler *demangler, const char *name)
{
    if (demangler->searched || !is_mangled(name))
        return;
    demangler->searched = true;
    demangler->library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (demangler->library != NULL)
        *(void **)&demangler->demangle = dlsym(demangler->library, "__cxa_demangle");
}

void tf_demangler_unload(struct tf_demangler *demangler)
{
    if (demangler->library != NULL)
        dlclose(demangler->library);
    *demangler = (struct tf_demangler){0};
}

/* References are S_, S0_, T_, T12_ and so on. */
static bool is_moderate(const char *mangled)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    unsigned references = 0;
    if (strlen(mangled) > MANGLED_BYTES_MAX)
        return false;
    for (const char *at = mangled; *at != '\0'; at++)
        references += (*at == 'S' || *at == 'T') && at[1 + strspn(at + 1, digits)] == '_';
    return references <= REFERENCES_MAX;
}

static int by_raw(const void *a, const void *b)
{
    const char *x = ((const struct name *)a)->raw, *y = ((const struct name *)b)->raw;
    return (x > y) - (x < y);
}

/* Returns NULL if the host has no memory. */
static const char *keep(struct tf_names *names, const char *raw, const char *text)
{
    size_t bytes = strlen(text), room = TF_PRINTABLE_GROWTH * bytes + 1;
    struct name *made = malloc(sizeof *made + room);
    if (made == NULL)
        return NULL;
    made->raw = raw;
    if (tf_is_printable(text))
        memcpy(made->shown, text, bytes + 1);
    else
        tf_printable(text, bytes, made->shown, room);
    struct name *const *found = tsearch(made, &names->tree, by_raw);
    if (found != NULL)
        return (*found)->shown;
    free(made);
    return NULL;
}

const char *tf_names_shown(struct tf_names *names, const struct tf_demangler *demangler, const char *raw)
{
    const struct name wanted = {.raw = raw};
    if (raw == NULL)
        return NULL;
    const bool mangled = demangler->demangle != NULL && is_mangled(raw), printable = tf_is_printable(raw);
    if (printable && !mangled)
        return raw;
    struct name *const *found = tfind(&wanted, &names->tree, by_raw);
    if (found != NULL)
        return (*found)->shown;
    int status = -1;
    char *readable = mangled && is_moderate(raw) ? demangler->demangle(raw, NULL, NULL, &status) : NULL;
    const char *shown = readable == NULL && printable ? raw : keep(names, raw, readable == NULL ? raw : readable);
    free(readable);
    return shown != NULL ? shown : printable ? raw : "?";
}

void tf_names_free(struct tf_names *names)
{
    tdestroy(names->tree, free);
    names->tree = NULL;
}

/* The result of a template stands before its name: "void fill<4>(int)". */
bool tf_name_is(const char *shown, const char *wanted)
{
    const size_t bytes = strlen(wanted);
    if (strcmp(shown, wanted) == 0)
        return true;
    for (const char *at = strstr(shown, wanted); at != NULL && bytes != 0; at = strstr(at + 1, wanted))
        if ((at == shown || at[-1] == ' ') && at[bytes] == '(')
            return true;
    return false;
}
