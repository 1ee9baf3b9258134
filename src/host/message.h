/* SPDX-License-Identifier: Apache-2.0 */
/* The cause of an error in words, for functions that return an enum tf_error. */
#ifndef HOST_MESSAGE_H
#define HOST_MESSAGE_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tilefarm/tilefarm_base.h"

/* Write "what: why" to a message, which may be NULL. Returns `error`. */
static inline int tf_message_set(struct tf_message *message, int error, const char *what, const char *why)
{
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "%.120s: %.130s", what, why);
    return error;
}

/* The same for an errno: "path: what: the host's words". Returns TF_ENOMEM or TF_EIO. */
static inline int tf_message_set_errno(struct tf_message *message, const char *path, const char *what, int number)
{
    if (message != NULL)
        snprintf(message->text, sizeof message->text, "%.120s: %.60s: %.60s", path, what, strerror(number));
    return number == ENOMEM ? TF_ENOMEM : TF_EIO;
}

#endif
