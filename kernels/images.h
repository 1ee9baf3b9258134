/* SPDX-License-Identifier: Apache-2.0 */
/* The compiled device programs, embedded in the host program. */
#ifndef KERNELS_IMAGES_H
#define KERNELS_IMAGES_H

#include <stddef.h>
#include <stdint.h>

struct tf_kernel_image {
    const char *name;          /* program and core, such as "mixed.t0" */
    const uint8_t *data, *end; /* an ELF32 file */
};

/* Find a program by its name. Returns NULL if there is none. Any thread may call it. */
const struct tf_kernel_image *tf_kernel_find(const char *name);

static inline size_t tf_kernel_bytes(const struct tf_kernel_image *image)
{
    return (size_t)(image->end - image->data);
}

#endif
