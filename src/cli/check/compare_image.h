/* SPDX-License-Identifier: Apache-2.0 */
/* The memory and the cores of a chip before its run: enough to start another chip like it. */
#ifndef CLI_CHECK_COMPARE_IMAGE_H
#define CLI_CHECK_COMPARE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

struct tf_chip;
struct tf_image;
struct tf_library_result;
struct tf_piece;

/* Take the image of a chip, without registers. Returns false if the host has no memory. */
bool tf_image_take(struct tf_image *image, struct tf_chip *chip, bool workload);
void tf_image_free(struct tf_image *image);

/* The size of a result. */
size_t tf_image_result_bytes(const struct tf_image *image);

/* The next piece of the memory to compare, after one whose bytes are 0 before the first. Returns false at the end. */
bool tf_image_next(const struct tf_image *image, struct tf_piece *piece);

/* Is a piece of a result used? */
bool *tf_image_used(const struct tf_image *image, struct tf_library_result *result, const struct tf_piece *piece);

/* Give a chip, whose image it was, the memory of a result. Returns an enum tf_error. */
int tf_image_put(const struct tf_image *image, struct tf_library_result *result, struct tf_chip *chip);

#endif
