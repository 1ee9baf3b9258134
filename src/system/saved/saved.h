/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tf_system_save() and tf_system_restore(). The file of a system has its cluster, what is on its links, and for each
 * chip the hash of its state. Chips are files of their own. Their names have a number that no older save has, so the
 * rename of the system's file replaces the whole save at once.
 */
#ifndef SYSTEM_SAVED_SAVED_H
#define SYSTEM_SAVED_SAVED_H

#include <stdbool.h>
#include <stdint.h>

#define TF_SAVED_PATH_BYTES 4096u

/* Is the file of a saved system at a path? Its body may be damaged. */
bool tf_system_is_saved(const char *path);

/* The number of the save that is at a path; 0: none. */
uint64_t tf_system_saved_number(const char *path);

/* Name the file of a chip in the save of a number. Where "PATH.NUMBER.chipCHIP" would be too long for a file system,
   a hash stands for the end of PATH. Returns false if the path is too long all the same. */
bool tf_system_saved_chip(char name[TF_SAVED_PATH_BYTES], const char *path, uint64_t number, unsigned chip);

/* Remove what the save of a system at a path has left, before the process ends without it: temporary files, chips of
   the save that is not complete or of the one that it has replaced. Another thread may be saving. */
void tf_system_abandon_save(const char *path);

#endif
