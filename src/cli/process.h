/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that have a copy of all memory, and end with the one that began them. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Begin a process; it must end by _exit(). 0: in it. -1 after an error line. */
pid_t tf_process_begin(pid_t parent);

/* Wait until it has ended. */
void tf_process_end(pid_t process);

/* Read or write all of the bytes. False at an end of the file, or an error. */
bool tf_process_read(int file, void *data, size_t bytes);
bool tf_process_write(int file, const void *data, size_t bytes);

#endif
