/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DEBUG_GDB_DRIVER_H
#define DEBUG_GDB_DRIVER_H

#include <stdbool.h>

struct tf_message;

/* What runs the chips of a system that is debugged. A single chip needs none. */
struct tf_gdb_driver {
    void (*stop)(void *user, bool stop); /* end the run soon; or forget that it should end */
    int (*save)(void *user, const char *path, struct tf_message *message);
    void *user;
};

#endif
