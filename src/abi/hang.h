/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of waits on stderr. */
#ifndef ABI_HANG_H
#define ABI_HANG_H

#include <stdint.h>

struct abi;
struct abi_signal;

/* Begin: read the environment, and take SIGUSR1 if it asks for that (on_signal sets hang.asked). Then test, and
   report. At the end report, and give the signal back. */
void abi_hang_begin(struct abi *abi, void (*on_signal)(int number));
void abi_hang_check(struct abi *abi);
void abi_hang_progress(void *user, uint64_t cycle, uint64_t instructions);
void abi_hang_end(struct abi *abi);

/* Give SIGUSR1 back if it is still this library's; else nothing happens, and it is to be tried again. */
void abi_signal_end(struct abi_signal *given);

#endif
