/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/hashes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/hostile.h"

#define COMPILER(version) static const char compiler[] = version;
#define X(family, name, hash)
#include "golden/hashes.def"
#undef COMPILER
#undef X

static const struct {
    const char *family, *name;
    uint64_t hash;
} rows[] = {
#define COMPILER(version)
#define X(family, name, hash) {family, name, hash},
#include "golden/hashes.def"
#undef X
#undef COMPILER
    {NULL, NULL, 0},
};

static void record(const char *path, const char *family, const char *name, uint64_t hash)
{
    FILE *file = fopen(path, "a");
    if (file == NULL)
        fail_msg("%s cannot be written", path);
    fprintf(file, "X(\"%s\", \"%s\", 0x%016llx)\n", family, name, (unsigned long long)hash);
    fclose(file);
}

void golden_hash(const char *family, const char *name, uint64_t hash)
{
    const char *path = getenv("GOLDEN_RECORD");
    if (path != NULL) {
        record(path, family, name, hash);
        return;
    }
    if (TF_HOSTILE) /* slices are shorter */
        return;
    if (strcmp(compiler, TF_RISCV_CC_VERSION) != 0) {
        print_message("state hashes are those of compiler %s; %s has made these device programs\n", compiler,
                      TF_RISCV_CC_VERSION);
        return;
    }
    for (size_t i = 0; rows[i].family != NULL; i++) {
        if (strcmp(rows[i].family, family) != 0 || strcmp(rows[i].name, name) != 0)
            continue;
        if (rows[i].hash != hash)
            fail_msg("the state hash of %s on %s is %016llx, and %016llx is recorded; if that is meant, "
                     "tests/golden/record.sh records it, and docs/design.md says why",
                     name, family, (unsigned long long)hash, (unsigned long long)rows[i].hash);
        return;
    }
    fail_msg("no state hash of %s on %s is recorded: run tests/golden/record.sh", name, family);
}
