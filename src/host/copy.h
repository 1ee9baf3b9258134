/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HOST_COPY_H
#define HOST_COPY_H

#include <stddef.h>

/*
 * memcpy() into the chip's memory and out of it. Long blocks that go in bypass the caches, and so evict nothing.
 */
void tf_copy_in(void *to, const void *from, size_t bytes);
void tf_copy_out(void *to, const void *from, size_t bytes);

#endif
