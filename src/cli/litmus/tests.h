/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tests. Names are those of the literature where there is one (Alglave, Maranget, Tautschnig, "Herding cats",
 * 2014).
 * ORDER is BlackholeA0/TensixTile/BabyRISCV/MemoryOrdering.md, NOC is WormholeB0/NoC/Ordering.md.
 */
#ifndef CLI_LITMUS_TESTS_H
#define CLI_LITMUS_TESTS_H

#include "cli/litmus/litmus.h"

extern const struct tf_litmus tf_litmus_tests[];
extern const unsigned tf_litmus_count;

#endif
