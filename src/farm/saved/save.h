/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring a chip. */
#ifndef FARM_SAVED_SAVE_H
#define FARM_SAVED_SAVE_H

struct tf_chip;
struct tf_message;

/* Write a chip to a file, which is replaced whole or not at all. TF_OK, TF_ENOMEM, TF_EIO. */
int tf_chip_write(struct tf_chip *chip, const char *path, struct tf_message *message);

/* Read a file into a new chip. TF_OK; TF_EINVAL (saved of a chip with another configuration), TF_EFORMAT, TF_EIO,
   TF_ENOMEM: then the chip can only be destroyed. */
int tf_chip_read(struct tf_chip *chip, const char *path, struct tf_message *message);

#endif
