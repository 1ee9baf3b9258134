/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that have a copy of all memory, and end with the one that began them; and CPUs for them. */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Begin a process; it must end by _exit(). 0: in it. -1 after an error line. */
pid_t tf_process_begin(pid_t parent);

/* Wait until it has ended. Returns its status, as waitpid() does. */
int tf_process_end(pid_t process);

/* The CPUs that this process may use at a time: those of its affinity mask, as far as its control groups grant them. At
   least 1. */
unsigned tf_process_cpus(void);

#endif
