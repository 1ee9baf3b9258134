/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of Dst, and banks of SrcA and SrcB, that instructions of several threads use. */
#ifndef RACES_TENSIX_DST_H
#define RACES_TENSIX_DST_H

#include <stdbool.h>
#include <stdint.h>

struct race_thread;
struct site;

/* An instruction of a thread has passed the gate. It has not used Dst yet. */
void dst_passed(struct race_thread *thread);

/* The instruction at the gate of a thread reads or writes rows of Dst. */
void dst_used(struct site *site, unsigned thread, unsigned first, unsigned count, bool write);

/* A core loads from a row of Dst, or stores there. */
void dst_used_by_core(struct site *site, unsigned core, unsigned row, bool write);

/* An instruction has passed the gate of a thread: check its access to a bank that it does not wait for. */
void bank_passed(struct site *site, unsigned thread, uint32_t word, uint32_t pc);

/* A thread gives a bank to the matrix unit. */
void bank_given(struct site *site, unsigned thread, unsigned side, unsigned bank);

/* A thread gives a bank back to the unpackers. */
void bank_returned(struct site *site, unsigned thread, unsigned side, unsigned bank);

/* An instruction has passed the gate of a thread, and has used the banks of race_thread.banks. */
void banks_used(struct site *site, unsigned thread, uint32_t word, uint32_t pc);

#endif
