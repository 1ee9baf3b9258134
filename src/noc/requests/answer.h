/* SPDX-License-Identifier: Apache-2.0 */
/* The data of an answer. */
#ifndef NOC_REQUESTS_ANSWER_H
#define NOC_REQUESTS_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/noc.h"

/* Data of an answer that land at its node. */
struct tf_noc_data {
    const uint8_t *from;
    uint32_t bytes; /* 0: no data */
    bool landed;    /* they have already landed */
};

/* The data of the answer that a settled request keeps. */
static inline __attribute__((always_inline)) struct tf_noc_data tf_noc_kept_data(const struct tf_noc_request *request)
{
    if (request->kind == TF_NOC_ATOMIC)
        return (struct tf_noc_data){(const uint8_t *)&request->entry.result, sizeof request->entry.result, false};
    if (request->kind == TF_NOC_READ)
        return (struct tf_noc_data){request->data, request->length, request->to != NULL};
    return (struct tf_noc_data){NULL, 0, true};
}

#endif
