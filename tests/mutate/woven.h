/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Included in all sources that have mutants in them. woven.c, which is linked with every program and library, reads two
 * variables of the environment: TF_WOVEN, the key of the mutant that takes effect, and TF_WOVEN_REACHED, a file. Byte
 * KEY of that file becomes 1 when an expression with the mutant KEY is evaluated.
 */
#ifndef TF_MUTATE_WOVEN_H
#define TF_MUTATE_WOVEN_H

/* A mutated expression often looks suspicious to a compiler; it is always intended. Mutants are compiled by gcc. */
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wshift-count-negative"
#pragma GCC diagnostic ignored "-Wshift-count-overflow"
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-overread"
#pragma GCC diagnostic ignored "-Wformat-truncation"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Waggressive-loop-optimizations"
#pragma GCC diagnostic ignored "-Wnonnull"
#pragma GCC diagnostic ignored "-Wsequence-point"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#pragma GCC diagnostic ignored "-Wrestrict"
#endif

#define TF_WOVEN_MAX 4096u

extern unsigned tf_woven_key __attribute__((visibility("hidden")));
extern unsigned char *tf_woven_reached __attribute__((visibility("hidden")));

#define TF_WOVEN(key) (tf_woven_reached[key] = 1, tf_woven_key == (key))

#endif
