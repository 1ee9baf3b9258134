/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A program of the host leads a system whose chips other processes run, on one host or on many:
 *
 *     mpirun -n 1 ./program : -n 3 tilefarm join
 *
 * The program is rank 0. It makes systems as usual, and lets the ranks run them. Results, files of saves and hashes are
 * those of one process. The library needs no MPI: it loads a module of the package tilefarm-mpi, for Open MPI or MPICH.
 * The program must not use MPI itself.
 *
 * Between runs the state of a chip may be at another rank. tf_system_chip() brings it here. So call it for each chip
 * that is accessed, and again after each run. Functions of the whole system, and tf_link_stats(), do that themselves.
 */
#ifndef TILEFARM_LEAD_H
#define TILEFARM_LEAD_H

#include "tilefarm/tilefarm_system_run.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tf_lead;

/**
 * Meet the processes that mpirun has started beside this one. Once in a process; it waits for all of them.
 * @param[out] lead  untouched on error.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (mpirun has not started this process as rank 0 of several, others do not run `tilefarm
 *         join`, or have another version); TF_EIO (no module for this MPI, or a rank has failed); TF_ENOMEM.
 */
TF_API int tf_lead_open(struct tf_lead **lead, struct tf_message *message);

/**
 * Let the ranks run a system, one at a time. Boards are shared out if there are enough of them, else chips; rank 0 gets
 * some. From now on tf_system_run() runs all ranks. It returns TF_EIO if one has failed: it was killed, hangs, or its
 * host is lost. Then the system can only be destroyed. Callbacks on_fault and on_print come when a run has ended. Those
 * for memory of the host come from chips of rank 0 alone.
 * Thread: that of the system, between runs.
 * @param system  has not run yet. NULL is TF_EINVAL.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (more ranks than chips; or a system that has run, is in relaxed mode, explores other orders,
 *         is checked for races, or has callbacks for instructions, requests, epochs, packets or progress); TF_EIO,
 *         TF_ENOMEM.
 */
TF_API int tf_lead_system(struct tf_lead *lead, struct tf_system *system, struct tf_message *message);

/** Why a rank has failed: one line, which names it. "": none has. */
TF_API const char *tf_lead_why(const struct tf_lead *lead);

/** Let the ranks end, once the system is destroyed, and before the process ends. NULL is allowed. */
TF_API void tf_lead_close(struct tf_lead *lead);

#ifdef __cplusplus
}
#endif

#endif
