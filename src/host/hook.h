/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks: the places where a run tests for observers, and for other orders. A hook is a pointer to the observer, NULL in
 * other runs. Builds without hooks (-DTILEFARM_HOOKS=OFF) show the cost of these tests. There every such pointer is the
 * constant NULL, the compiler drops the tests, and observers are refused.
 */
#ifndef HOST_HOOK_H
#define HOST_HOOK_H

#ifdef TF_NO_HOOKS
#define TF_HOOKS 0
#define TF_HOOK(who) ((__typeof__(who))0)
#else
#define TF_HOOKS 1
#define TF_HOOK(who) (who)
#endif

/* The message of a build without hooks to a user who asks for an observer. */
#define TF_HOOKS_MISSING "this build cannot trace, check or explore: it was built with TILEFARM_HOOKS=OFF"

#endif
