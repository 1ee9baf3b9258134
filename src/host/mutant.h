/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places where a test build of the library can be made wrong, to show that `tilefarm stress` finds it. TF_MUTANTS is
 * defined only for such a build; tests/stress/mutants.h then says what each place does. TF_PAUSE is a place where the
 * host may pause a thread at the worst time; such a build pauses there by chance, right or wrong.
 */
#ifndef HOST_MUTANT_H
#define HOST_MUTANT_H

#ifdef TF_MUTANTS
#include "stress/mutants.h"
#else
#define TF_MUTANT(name) false              /* is this fault to happen now? */
#define TF_MUTANT_HOLDS(to, from, n) false /* does the host's store buffer hold this copy? */
#define TF_MUTANT_PAUSE(name)              /* wait within the window that this fault leaves open */
#define TF_PAUSE(name)                     /* wait for a random time */
#define TF_MUTANT_WORD(op, word)           /* return the answer of a torn step on a word */
#define TF_MUTANT_LINE(op, l1, address)    /* return the answer of a torn step on a line */
#endif

#endif
