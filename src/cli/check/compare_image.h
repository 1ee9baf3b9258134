/* SPDX-License-Identifier: Apache-2.0 */
/* The memory and the cores of a chip before its run: enough to start another chip like it. */
#ifndef CLI_CHECK_COMPARE_IMAGE_H
#define CLI_CHECK_COMPARE_IMAGE_H

#include <stdbool.h>

struct tf_chip;
struct tf_image;

/* Take the image of a chip, without registers. Returns false if the host has no memory. */
bool tf_image_take(struct tf_image *image, struct tf_chip *chip, bool workload);
void tf_image_free(struct tf_image *image);

#endif
