/* SPDX-License-Identifier: Apache-2.0 */
/* A saved system of --restore, and the links that a request asks for. */
#ifndef CLI_REQUEST_RESTORED_H
#define CLI_REQUEST_RESTORED_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm/tilefarm_links.h"

struct tf_message;
struct tf_request;

/* What the file says, beside the configuration of its chips. */
struct tf_restored {
    struct tf_cluster cluster;
    uint32_t latency_cycles, gbps; /* of links */
    unsigned faults;
    struct tf_link_fault fault[TF_LINK_FAULTS_MAX];
};

/* The links that a request asks for: its options, else what the saved system had. */
struct tf_wished_links {
    uint32_t latency_cycles, gbps; /* 0: the default */
    const char *faults;            /* text of an option; or NULL: those of `restored`, if that is not NULL */
    const struct tf_restored *restored;
};

/* Let a request have the saved system at a path. The system is that of the file, unless an option has named one.
   Returns false after an error line. */
bool tf_take_restored(struct tf_request *request, const char *option, const char *path);

/* Let a request have the configuration of the saved chip at a path, and its family and board unless an option has named
   a family. Returns false after an error line. */
bool tf_take_restored_chip(struct tf_request *request, const char *option, const char *path);

struct tf_wished_links tf_wished_links(const struct tf_request *request);

#endif
