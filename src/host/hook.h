/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks: the places where a run asks whether anybody looks at it, or explores other orders. Who does is a pointer that
 * is NULL in other runs. Builds without hooks (-DTILEFARM_HOOKS=OFF) serve to measure what the questions cost: there
 * every such pointer is the constant NULL, the questions disappear when compiled, and nobody can look.
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

/* What a build without hooks says to whoever wants to look. */
#define TF_NO_HOOKS_HERE "this build has no hooks (TILEFARM_HOOKS is OFF): nobody can look at a run, or explore"

#endif
