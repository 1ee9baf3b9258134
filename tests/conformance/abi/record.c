/* SPDX-License-Identifier: Apache-2.0 */
/* Print what the driver program finds with a library: record LIBRARY > results.inc. */
#include "driver.h"

#include <stdio.h>

static void print(void *user, const char *step, uint64_t value)
{
    fprintf(user, "{\"%s\", 0x%016llXull},\n", step, (unsigned long long)value);
    fflush(user);
}

int main(int argc, char **argv)
{
    struct api api;
    if (argc != 3 || api_load(&api, argv[1]) != 0) {
        fprintf(stderr, "usage: record LIBRARY FILE\n");
        return 2;
    }
    FILE *out = fopen(argv[2], "w");
    if (out == NULL)
        return 1;
    fprintf(out, "/* SPDX-License-Identifier: Apache-2.0 */\n/* Steps and what ttsim v1.10 gives, by record.c. */\n");
    drive(&api, print, out);
    return fclose(out) != 0;
}
