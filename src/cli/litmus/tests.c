/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tests. Names are those of the literature where there is one (Alglave, Maranget, Tautschnig, "Herding cats",
 * 2014).
 * ORDER is BlackholeA0/TensixTile/BabyRISCV/MemoryOrdering.md, NOC is WormholeB0/NoC/Ordering.md.
 */
#include "cli/litmus/litmus.h"
#include "cli/litmus/tests.h"
#include "tilefarm_address.h"
#include "tilefarm_family.h"

#define X TF_LITMUS_X
#define Y TF_LITMUS_Y
#define Z TF_LITMUS_Z
#define DRAM TF_LITMUS_DRAM
#define FROM TF_LITMUS_FROM
#define RETURN TF_LITMUS_RETURN
#define MAILBOX_TO_T0 TF_MAILBOX_OF(1)
#define MAILBOX_FROM_B TF_MAILBOX_OF(0)
#define SEMAPHORE (TF_SEMAPHORE_BASE + 4 * 4u) /* semaphore 4 of the coprocessor */
#define SEMAPHORE_2 (TF_SEMAPHORE_BASE + 2 * 4u)
#define IN TF_LITMUS_IN
#define OUT TF_LITMUS_OUT
#define ONES 0x3F803F80u /* bf16 */
#define TWOS 0x40004000u
#define STREAM(reg) (TF_STREAM_BASE + 5 * TF_STREAM_BYTES + (reg)*4u)
#define STREAM_A STREAM(TF_STREAM_ACKED)
#define STREAM_B STREAM(TF_STREAM_RECEIVED)

enum { B = TF_CORE_B, NC = TF_CORE_NC, T0 = TF_CORE_T0, T1 = TF_CORE_T1, T2 = TF_CORE_T2 };

/* NOC_CTRL. Two channels have different classes. */
#define ACK (1u << 4)
#define LINKED (1u << 6)
#define CHANNEL(class) (1u << 7 | (class) << 14)
#define NOC1 (1u << 31)

/* clang-format off */
#define ST(address, value) {TF_LITMUS_STORE, address, value, 0, 0, 0}
#define LD(address, reg) {TF_LITMUS_LOAD, address, reg, 0, 0, 0}
#define LD_LD(address, reg, next) {TF_LITMUS_LOAD_LOAD, address, reg, next, 0, 0}
#define LD_ST(address, reg, next) {TF_LITMUS_LOAD_STORE, address, reg, next, 0, 0}
#define FENCE {TF_LITMUS_FENCE, 0, 0, 0, 0, 0}
#define AMO(address, reg, add) {TF_LITMUS_AMO, address, reg, add, 0, 0}
#define SETTLE(address) {TF_LITMUS_SETTLE, address, 0, 0, 0, 0}
#define POLL(address) {TF_LITMUS_POLL, address, 0, 0, 0, 0}
#define WR(tile, to, bytes, ctrl) {TF_LITMUS_WRITE, to, FROM, bytes, tile, ctrl}
#define WR_FROM(tile, to, from, bytes, ctrl) {TF_LITMUS_WRITE, to, from, bytes, tile, ctrl}
#define READ(tile, from, to, bytes, ctrl) {TF_LITMUS_READ, from, to, bytes, tile, ACK | (ctrl)}
#define RD(tile, from, to, ctrl) READ(tile, from, to, 16, ctrl)
#define ADD(tile, address, at, ctrl) {TF_LITMUS_ADD, address, at, 0, tile, 1u | (ctrl)}
#define REG(tile, address, value, ctrl) {TF_LITMUS_REGISTER, address, value, 0, tile, 2u | 8u | ACK | (ctrl)}
#define MC(tiles, to, ctrl) {TF_LITMUS_MULTICAST, to, FROM, 16, tiles, 2u | 1u << 5 | 1u << 8 | (ctrl)}
#define STEP(op) {TF_LITMUS_##op, 0, 0, 0, 0, 0}
#define STEP_AT(op, address) {TF_LITMUS_##op, address, 0, 0, 0, 0}
#define MOVE_TO(to) ST(TF_TDMA_BASE, FROM / 16), ST(TF_TDMA_BASE + 4, (to) / 16), ST(TF_TDMA_BASE + 8, 1), \
    ST(TF_TDMA_BASE + 12, 3), ST(TF_TDMA_BASE + 16, 0x40) /* a line */
#define FILL(address, word) {TF_LITMUS_FILL, address, word, 0, 0, 0}
#define WAIT(ctrl) {TF_LITMUS_WAIT, 0, 0, 0, 0, ctrl}
#define SENT(ctrl) {TF_LITMUS_SENT, 0, 0, 0, 0, ctrl}
#define ON(tile, core, ...) {tile, core, {__VA_ARGS__}}
#define R(actor, reg) {false, actor, reg}
#define M(tile, address) {true, tile, address}
#define ACTORS(...) .actors = sizeof((struct tf_litmus_actor[]){__VA_ARGS__}) / sizeof(struct tf_litmus_actor), \
    .actor = (const struct tf_litmus_actor[]){__VA_ARGS__}
#define SEE(...) .seen = sizeof((struct tf_litmus_seen[]){__VA_ARGS__}) / sizeof(struct tf_litmus_seen), \
    .see = {__VA_ARGS__}
#define TEST(name_, about_, page_, allowed_) .name = name_, .about = about_, .page = page_, .allowed = allowed_

#define NO_RACE .race = TF_LITMUS_RACE_NONE
#define WARM .race = TF_LITMUS_RACE_WARM
#define ALL2 "0 0|0 1|1 0|1 1"
#define QUEUE "MemoryOrdering.md: a later load may emit its request before an earlier store of other bytes"
#define MOVER "Mover.md: it takes many cycles; TDMA-RISC.md: the status says when it is idle"
#define REGION "MemoryOrdering.md: requests of one core to one region are processed in order"
#define FENCED "MemoryOrdering.md: a fence waits until the store queue is empty; L1 keeps the order of a port"
#define FULL "MemoryOrdering.md: four later stores push a store out of the queue; L1 keeps the order of a port"
#define L0 "MemoryOrdering.md: L0 is not coherent; a hit returns data without consulting L1"
#define FLUSH "MemoryOrdering.md: a fence or an atomic flushes L0"
#define OTHER "MemoryOrdering.md: requests to different regions may be processed in any order, also across a fence"
#define ANSWERED "MemoryOrdering.md: a load of the stored bytes, whose value is used, comes after the store"
#define ANY "Ordering.md: packets on different virtual channels may be reordered"
#define IN_TRANSIT "they stay in order on their way (beyond the page: also at the recipient)"
#define SAME "Ordering.md: packets of one route and one virtual channel: " IN_TRANSIT
#define RULE(n) "Ordering.md, one virtual channel, rule " n
#define NO_RULE "Ordering.md, one virtual channel: no rule for this pair, so the recipient may reorder it"
#define UNITS "STALLWAIT.md: a unit may still be at work after its instruction"
#define RESPONSE "Ordering.md, \"Stronger ordering\": wait for the response"

const struct tf_litmus tf_litmus_tests[] = {
    /* Stores and loads of L1 by the cores of a tile. */
    {TEST("SB", "store x, load y | store y, load x", QUEUE, ALL2),
     ACTORS(ON(0, B, ST(X, 1), LD(Y, 0)), ON(0, NC, ST(Y, 1), LD(X, 0))), SEE(R(0, 0), R(1, 0))},
    {TEST("SB+fences", "SB with a fence between", FENCED, "0 1|1 0|1 1"),
     ACTORS(ON(0, B, ST(X, 1), FENCE, LD(Y, 0)), ON(0, NC, ST(Y, 1), FENCE, LD(X, 0))), SEE(R(0, 0), R(1, 0))},
    {TEST("SB+fence", "SB with a fence on one side", QUEUE, ALL2),
     ACTORS(ON(0, B, ST(X, 1), FENCE, LD(Y, 0)), ON(0, NC, ST(Y, 1), LD(X, 0))), SEE(R(0, 0), R(1, 0))},
    {TEST("SB+amos", "SB with atomics in place of loads",
          "MemoryOrdering.md: atomics wait for the store queue", "0 1|1 0|1 1"), NO_RACE,
     ACTORS(ON(0, B, ST(X, 1), AMO(Y, 0, 0)), ON(0, NC, ST(Y, 1), AMO(X, 0, 0))), SEE(R(0, 0), R(1, 0))},
    {TEST("SB+reads", "SB; each first loads what it stored", ANSWERED, "0 1|1 0|1 1"),
     ACTORS(ON(0, T0, ST(X, 1), SETTLE(X), LD(Y, 0)), ON(0, T1, ST(Y, 1), SETTLE(Y), LD(X, 0))),
     SEE(R(0, 0), R(1, 0))},
    {TEST("SB+loads-wait", "SB; loads wait for the store queue (cfg0)",
          "CSRs.md: with DisLdBufByp, loads wait until the store queue is empty", "0 1|1 0|1 1"),
     ACTORS(ON(0, B, STEP(LOADS_WAIT), ST(X, 1), LD(Y, 0)), ON(0, NC, STEP(LOADS_WAIT), ST(Y, 1), LD(X, 0))),
     SEE(R(0, 0), R(1, 0))},
    {TEST("SB+strong", "SB; each access comes after a fence (pmacfg0)",
          "CSRs.md: with pmacfg0, loads and stores behave as if a fence came before", "0 1|1 0|1 1"),
     ACTORS(ON(0, B, STEP(STRONG), ST(X, 1), LD(Y, 0)), ON(0, NC, STEP(STRONG), ST(Y, 1), LD(X, 0))),
     SEE(R(0, 0), R(1, 0))},
    {TEST("SB+3-stores", "SB; each stores three more words before it loads", QUEUE, ALL2),
     ACTORS(ON(0, B, ST(X, 1), ST(Z, 1), ST(Z + 16, 1), ST(Z + 32, 1), LD(Y, 0)),
            ON(0, NC, ST(Y, 1), ST(Z + 64, 1), ST(Z + 80, 1), ST(Z + 96, 1), LD(X, 0))), SEE(R(0, 0), R(1, 0))},
    {TEST("SB+4-stores", "SB; each stores four more words before it loads", FULL, "0 1|1 0|1 1"),
     ACTORS(ON(0, B, ST(X, 1), ST(Z, 1), ST(Z + 16, 1), ST(Z + 32, 1), ST(Z + 48, 1), LD(Y, 0)),
            ON(0, NC, ST(Y, 1), ST(Z + 64, 1), ST(Z + 80, 1), ST(Z + 96, 1), ST(Z + 112, 1), LD(X, 0))),
     SEE(R(0, 0), R(1, 0))},
    {TEST("SB+line", "SB; x and y share a line of 16 bytes", QUEUE, ALL2),
     ACTORS(ON(0, B, ST(X, 1), LD(X + 8, 0)), ON(0, NC, ST(X + 8, 1), LD(X, 0))), SEE(R(0, 0), R(1, 0))},
    {TEST("MP", "store x, store y | load y, load x", REGION, "0 0|0 1|1 1"),
     ACTORS(ON(0, B, ST(X, 1), ST(Y, 1)), ON(0, NC, LD(Y, 0), LD(X, 1))), SEE(R(1, 0), R(1, 1))},
    {TEST("MP+warm", "MP; the reader has loaded x before", L0, ALL2),
     ACTORS(ON(0, B, ST(X, 1), ST(Y, 1)), ON(0, NC, SETTLE(X), LD(Y, 0), LD(X, 1))), SEE(R(1, 0), R(1, 1))},
    {TEST("MP+warm+fence", "MP+warm with a fence between the loads", FLUSH, "0 0|0 1|1 1"),
     ACTORS(ON(0, B, ST(X, 1), ST(Y, 1)), ON(0, NC, SETTLE(X), LD(Y, 0), FENCE, LD(X, 1))), SEE(R(1, 0), R(1, 1))},
    {TEST("MP+warm+amo", "MP+warm; the reader loads y by an atomic", FLUSH, "0 0|0 1|1 1"),
     ACTORS(ON(0, B, ST(X, 1), ST(Y, 1)), ON(0, NC, SETTLE(X), AMO(Y, 0, 0), LD(X, 1))), SEE(R(1, 0), R(1, 1))},
    {TEST("MP+poll", "store x, store y | poll y with fences, load x", FLUSH, "1"), WARM,
     ACTORS(ON(0, B, ST(X, 1), ST(Y, 1)), ON(0, NC, SETTLE(X), POLL(Y), LD(X, 1))), SEE(R(1, 1))},
    {TEST("MP+amo-flag", "store x, atomic on y | poll y, load x",
          "MemoryOrdering.md: atomics wait for the store queue", "1"),
     ACTORS(ON(0, B, ST(X, 1), AMO(Y, 0, 1)), ON(0, NC, POLL(Y), LD(X, 1))), SEE(R(1, 1))},
    {TEST("MP+rows", "four stores | poll the last, load the first", REGION, "1 1"),
     ACTORS(ON(0, T0, ST(X, 1), ST(Z, 1), ST(X + 32, 1), ST(Y, 1)), ON(0, T1, POLL(Y), LD(X, 0), LD(Z, 1))),
     SEE(R(1, 0), R(1, 1))},
    {TEST("LB", "load x, store y | load y, store x", REGION, "0 0|0 1|1 0"),
     ACTORS(ON(0, B, LD(X, 0), ST(Y, 1)), ON(0, NC, LD(Y, 0), ST(X, 1))), SEE(R(0, 0), R(1, 0))},
    {TEST("S", "store x=2, store y | load y, store x=1", REGION, "0 1|0 2|1 1"),
     ACTORS(ON(0, B, ST(X, 2), ST(Y, 1)), ON(0, NC, LD(Y, 0), ST(X, 1))), SEE(R(1, 0), M(0, X))},
    {TEST("R", "store x, store y=1 | store y=2, load x", QUEUE, "0 1|0 2|1 1|1 2"),
     ACTORS(ON(0, B, ST(X, 1), ST(Y, 1)), ON(0, NC, ST(Y, 2), LD(X, 0))), SEE(R(1, 0), M(0, Y))},
    {TEST("R+fence", "R with a fence between store and load", FENCED, "0 1|1 1|1 2"),
     ACTORS(ON(0, B, ST(X, 1), ST(Y, 1)), ON(0, NC, ST(Y, 2), FENCE, LD(X, 0))), SEE(R(1, 0), M(0, Y))},
    {TEST("2+2W", "store x=1, store y=2 | store y=1, store x=2", REGION, "1 2|2 1|2 2"),
     ACTORS(ON(0, B, ST(X, 1), ST(Y, 2)), ON(0, NC, ST(Y, 1), ST(X, 2))), SEE(M(0, X), M(0, Y))},
    {TEST("WRC", "store x | poll x, store y | poll y, load x", REGION, "1"),
     ACTORS(ON(0, B, ST(X, 1)), ON(0, NC, POLL(X), ST(Y, 1)), ON(0, T0, POLL(Y), LD(X, 0))), SEE(R(2, 0))},
    {TEST("WRC+warm", "WRC; the last one has loaded x before, and polls y by an atomic", FLUSH, "0 0|0 1|1 1"), NO_RACE,
     ACTORS(ON(0, B, ST(X, 1)), ON(0, NC, POLL(X), ST(Y, 1)), ON(0, T0, SETTLE(X), AMO(Y, 0, 0), LD(X, 1))),
     SEE(R(2, 0), R(2, 1))},
    {TEST("IRIW+polls", "store x | store y | poll x, load y | poll y, load x",
          "MemoryOrdering.md: L1 has one value of each word", "0 1|1 0|1 1"),
     ACTORS(ON(0, B, ST(X, 1)), ON(0, NC, ST(Y, 1)), ON(0, T0, POLL(X), LD(Y, 0)), ON(0, T1, POLL(Y), LD(X, 0))),
     SEE(R(2, 0), R(3, 0))},
    {TEST("CoRR", "store x | load x, load x", REGION, "0 0|0 1|1 1"),
     ACTORS(ON(0, B, ST(X, 1)), ON(0, NC, LD(X, 0), LD(X, 1))), SEE(R(1, 0), R(1, 1))},
    {TEST("CoWW", "store x=1, store x=2", REGION, "2"),
     ACTORS(ON(0, B, ST(X, 1), ST(X, 2))), SEE(M(0, X))},
    {TEST("CoWR", "store x=1, load x | store x=2", ANSWERED, "1|2"),
     ACTORS(ON(0, B, ST(X, 1), LD(X, 0)), ON(0, NC, ST(X, 2))), SEE(R(0, 0))},
    {TEST("CoRW", "load x, store x=1 | store x=2", REGION, "0 1|0 2|2 1"),
     ACTORS(ON(0, B, LD(X, 0), ST(X, 1)), ON(0, NC, ST(X, 2))), SEE(R(0, 0), M(0, X))},
    {TEST("amo+amo", "two atomics add 1 to x", "MemoryOrdering.md: L1 locks against concurrent access",
          "0 1 2|1 0 2"), NO_RACE,
     ACTORS(ON(0, B, AMO(X, 0, 1)), ON(0, NC, AMO(X, 0, 1))), SEE(R(0, 0), R(1, 0), M(0, X))},
    {TEST("amo+store", "an atomic adds 1 to x | store x=2",
          "MemoryOrdering.md: L1 locks against concurrent access", "0 2|2 3"), NO_RACE,
     ACTORS(ON(0, B, AMO(X, 0, 1)), ON(0, NC, ST(X, 2))), SEE(R(0, 0), M(0, X))},

    /* L1 and other regions. */
    {TEST("MP+mailbox", "store x, send by mailbox | receive, load x", OTHER, "0|1"),
     ACTORS(ON(0, B, ST(X, 1), ST(MAILBOX_TO_T0, 1)), ON(0, T0, LD(MAILBOX_FROM_B, 0), LD(X, 1))), SEE(R(1, 1))},
    {TEST("MP+mailbox+fence", "MP+mailbox with a fence between the stores", OTHER, "0|1"),
     ACTORS(ON(0, B, ST(X, 1), FENCE, ST(MAILBOX_TO_T0, 1)), ON(0, T0, LD(MAILBOX_FROM_B, 0), LD(X, 1))),
     SEE(R(1, 1))},
    {TEST("MP+mailbox+read", "MP+mailbox; the sender loads x between", ANSWERED, "1"),
     ACTORS(ON(0, B, ST(X, 1), SETTLE(X), ST(MAILBOX_TO_T0, 1)), ON(0, T0, LD(MAILBOX_FROM_B, 0), LD(X, 1))),
     SEE(R(1, 1))},
    {TEST("MP+mailbox+beside", "MP+mailbox; a fence, and the sender loads another word of L1 between", FENCED, "1"),
     ACTORS(ON(0, B, ST(X, 1), FENCE, SETTLE(Z), ST(MAILBOX_TO_T0, 1)), ON(0, T0, LD(MAILBOX_FROM_B, 0), LD(X, 1))),
     SEE(R(1, 1))},
    {TEST("MP+mailbox+hit", "MP+mailbox; the sender loads z, stores x and four words, and loads z again", L0, "0|1"),
     ACTORS(ON(0, B, SETTLE(Z), ST(X, 1), ST(Z + 16, 1), ST(Z + 32, 1), ST(Z + 48, 1), ST(Z + 64, 1), SETTLE(Z),
               ST(MAILBOX_TO_T0, 1)),
            ON(0, T0, LD(MAILBOX_FROM_B, 0), LD(X, 1))), SEE(R(1, 1))},
    {TEST("MP+mailbox+miss", "MP+mailbox+hit; the sender does not load z before", FULL, "1"),
     ACTORS(ON(0, B, ST(X, 1), ST(Z + 16, 1), ST(Z + 32, 1), ST(Z + 48, 1), ST(Z + 64, 1), SETTLE(Z),
               ST(MAILBOX_TO_T0, 1)),
            ON(0, T0, LD(MAILBOX_FROM_B, 0), LD(X, 1))), SEE(R(1, 1))},
    {TEST("MP+semaphore", "store x, post a semaphore | poll it, load x", OTHER, "0|1"),
     ACTORS(ON(0, T0, ST(X, 1), ST(SEMAPHORE, 0)), ON(0, T1, POLL(SEMAPHORE), LD(X, 1))), SEE(R(1, 1))},
    {TEST("MP+semaphore+read", "MP+semaphore; the poster loads x between", ANSWERED, "1"),
     ACTORS(ON(0, T0, ST(X, 1), SETTLE(X), ST(SEMAPHORE, 0)), ON(0, T1, POLL(SEMAPHORE), LD(X, 1))), SEE(R(1, 1))},
    {TEST("MP+stream", "store x, store a stream register | poll it, load x", OTHER, "0|1"),
     ACTORS(ON(0, B, ST(X, 1), ST(STREAM_A, 1)), ON(0, NC, POLL(STREAM_A), LD(X, 1))), SEE(R(1, 1))},
    {TEST("MP+stream+fence", "MP+stream with a fence between the stores", OTHER, "0|1"),
     ACTORS(ON(0, B, ST(X, 1), FENCE, ST(STREAM_A, 1)), ON(0, NC, POLL(STREAM_A), LD(X, 1))), SEE(R(1, 1))},
    {TEST("MP+stream+read", "MP+stream; the writer loads x between", ANSWERED, "1"),
     ACTORS(ON(0, B, ST(X, 1), SETTLE(X), ST(STREAM_A, 1)), ON(0, NC, POLL(STREAM_A), LD(X, 1))), SEE(R(1, 1))},
    {TEST("SB+streams", "store a stream register, load another | the reverse", QUEUE, ALL2), NO_RACE,
     ACTORS(ON(0, B, ST(STREAM_A, 1), LD(STREAM_B, 0)), ON(0, NC, ST(STREAM_B, 1), LD(STREAM_A, 0))),
     SEE(R(0, 0), R(1, 0))},
    {TEST("SB+streams+reads", "SB+streams; each first loads what it stored", ANSWERED, "0 1|1 0|1 1"), NO_RACE,
     ACTORS(ON(0, B, ST(STREAM_A, 1), SETTLE(STREAM_A), LD(STREAM_B, 0)),
            ON(0, NC, ST(STREAM_B, 1), SETTLE(STREAM_B), LD(STREAM_A, 0))),
     SEE(R(0, 0), R(1, 0))},
    {TEST("mailbox+L1", "send by mailbox, store x | load x, is the mailbox empty?", OTHER, ALL2),
     ACTORS(ON(0, B, ST(MAILBOX_TO_T0, 1), ST(X, 1)), ON(0, T0, LD(X, 0), LD(MAILBOX_FROM_B + 4, 1))),
     SEE(R(1, 0), R(1, 1))},
    {TEST("mailbox+mailbox", "send 1, send 2 | receive, receive", REGION, "1 2"),
     ACTORS(ON(0, B, ST(MAILBOX_TO_T0, 1), ST(MAILBOX_TO_T0, 2)),
            ON(0, T0, LD(MAILBOX_FROM_B, 0), LD(MAILBOX_FROM_B, 1))), SEE(R(1, 0), R(1, 1))},
    {TEST("semaphore+L1", "post a semaphore, store x | load x, load the semaphore", OTHER, ALL2),
     ACTORS(ON(0, T0, ST(SEMAPHORE, 0), ST(X, 1)), ON(0, T1, LD(X, 0), LD(SEMAPHORE, 1))), SEE(R(1, 0), R(1, 1))},
    /* Loads whose values no instruction needs before the next access. */
    {TEST("MP+loads", "MP; the reader needs no value before it has loaded both", REGION, "0 0|0 1|1 1"),
     ACTORS(ON(0, B, ST(X, 1), ST(Y, 1)), ON(0, NC, LD_LD(Y, 0, X))), SEE(R(1, 0), R(1, 1))},
    {TEST("LB+loads", "LB; nobody needs a value before the store", REGION, "0 0|0 1|1 0"),
     ACTORS(ON(0, B, LD_ST(X, 0, Y)), ON(0, NC, LD_ST(Y, 0, X))), SEE(R(0, 0), R(1, 0))},
    {TEST("MP+mailbox+loads", "MP+mailbox+read; the receiver needs no value before it has loaded both", OTHER, "0|1"),
     ACTORS(ON(0, B, ST(X, 1), SETTLE(X), ST(MAILBOX_TO_T0, 1)), ON(0, T0, LD_LD(MAILBOX_FROM_B, 0, X))),
     SEE(R(1, 1))},
    {TEST("MP+stream+loads", "MP+stream+read; the reader loads both once, and needs no value before", OTHER, ALL2),
     ACTORS(ON(0, B, ST(X, 1), SETTLE(X), ST(STREAM_A, 1)), ON(0, NC, LD_LD(STREAM_A, 0, X))),
     SEE(R(1, 0), R(1, 1))},
    {TEST("LB+stream+loads", "load a stream register, store x | load x, store the register; nobody needs values before",
          OTHER, ALL2),
     ACTORS(ON(0, B, LD_ST(STREAM_A, 0, X)), ON(0, NC, LD_ST(X, 0, STREAM_A))), SEE(R(0, 0), R(1, 0))},
    {TEST("L1+command", "store x, command a NIU to write x to another tile", OTHER, "0|1"),
     ACTORS(ON(0, B, ST(X, 1), WR_FROM(1, Y, X, 16, 2u | ACK), WAIT(0))), SEE(M(1, Y))},
    {TEST("L1+command+fence", "L1+command with a fence between", OTHER, "0|1"),
     ACTORS(ON(0, B, ST(X, 1), FENCE, WR_FROM(1, Y, X, 16, 2u | ACK), WAIT(0))), SEE(M(1, Y))},
    {TEST("L1+command+read", "L1+command; x is loaded between", ANSWERED, "1"),
     ACTORS(ON(0, B, ST(X, 1), SETTLE(X), WR_FROM(1, Y, X, 16, 2u | ACK), WAIT(0))), SEE(M(1, Y))},

    /* Units of the coprocessor. */
    {TEST("pack+post", "store x=1; pack zeros to x, post a semaphore | poll it, load x", UNITS, "0|1"),
     ACTORS(ON(0, B, ST(OUT, 1), SETTLE(OUT), STEP(CONFIGURE)),
            ON(0, T2, STEP(CONFIGURED), STEP_AT(PACK_ZEROS, OUT), STEP(POST), STEP(IDLE)),
            ON(0, T0, STEP(CONFIGURED), POLL(SEMAPHORE_2), LD(OUT, 0))), SEE(R(2, 0))},
    {TEST("pack+wait+post", "pack+post with a STALLWAIT on the packer between", UNITS, "0"),
     ACTORS(ON(0, B, ST(OUT, 1), SETTLE(OUT), STEP(CONFIGURE)),
            ON(0, T2, STEP(CONFIGURED), STEP_AT(PACK_ZEROS, OUT), STEP(WAIT_PACKER), STEP(POST), STEP(IDLE)),
            ON(0, T0, STEP(CONFIGURED), POLL(SEMAPHORE_2), LD(OUT, 0))), SEE(R(2, 0))},
    {TEST("unpack+store", "unpack a tile of ones, store twos to it, pack what was unpacked", UNITS,
          "1065369472|1073758208"),
     ACTORS(ON(0, B, FILL(IN, ONES), STEP(CONFIGURE)),
            ON(0, T0, STEP(CONFIGURED), STEP_AT(UNPACK, IN), FILL(IN, TWOS), STEP(GIVE)),
            ON(0, T2, STEP(CONFIGURED), STEP_AT(PACK, OUT), STEP(IDLE))), SEE(M(0, OUT))},
    {TEST("unpack+idle+store", "unpack+store; it waits until the thread is idle", UNITS, "1065369472"),
     ACTORS(ON(0, B, FILL(IN, ONES), STEP(CONFIGURE)),
            ON(0, T0, STEP(CONFIGURED), STEP_AT(UNPACK, IN), STEP(IDLE), FILL(IN, TWOS), STEP(GIVE)),
            ON(0, T2, STEP(CONFIGURED), STEP_AT(PACK, OUT), STEP(IDLE))), SEE(M(0, OUT))},
    {TEST("scalar+post", "push a STOREIND of x=1, post a semaphore | poll it, load x", UNITS, "0|1"),
     ACTORS(ON(0, T2, STEP_AT(STORE_UNIT, X), STEP(POST), STEP(IDLE)), ON(0, T0, POLL(SEMAPHORE_2), LD(X, 0))),
     SEE(R(1, 0))},
    {TEST("scalar+wait+post", "scalar+post with a STALLWAIT on the scalar unit between", UNITS, "1"),
     ACTORS(ON(0, T2, STEP_AT(STORE_UNIT, X), STEP(WAIT_SCALAR), STEP(POST), STEP(IDLE)),
            ON(0, T0, POLL(SEMAPHORE_2), LD(X, 0))), SEE(R(1, 0))},
    {TEST("mover", "have the mover copy to x, load x", MOVER, "0|1"),
     ACTORS(ON(0, B, MOVE_TO(X), LD(X, 0))), SEE(R(0, 0))},
    {TEST("mover+status", "mover; it polls the status, which may overtake the command", QUEUE, "0|1"),
     ACTORS(ON(0, B, MOVE_TO(X), STEP(MOVED), LD(X, 0))), SEE(R(0, 0))},
    {TEST("mover+fence+status", "mover+status with a fence after the command", MOVER, "1"),
     ACTORS(ON(0, B, MOVE_TO(X), FENCE, STEP(MOVED), LD(X, 0))), SEE(R(0, 0))},

    /* NOC writes, and a flag at the same tile. */
    {TEST("MP+noc", "write x, write y | poll y, load x", ANY, "0|1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK), WR(1, Y, 16, 2u | ACK)), ON(1, B, POLL(Y), LD(X, 0))), SEE(R(1, 0))},
    {TEST("MP+noc+posted", "MP+noc with posted writes", ANY, "0|1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u), WR(1, Y, 16, 2u)), ON(1, B, POLL(Y), LD(X, 0))), SEE(R(1, 0))},
    {TEST("MP+noc+static", "MP+noc on one static channel", SAME, "1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK | CHANNEL(0u)), WR(1, Y, 16, 2u | ACK | CHANNEL(0u))),
            ON(1, B, POLL(Y), LD(X, 0))), SEE(R(1, 0))},
    {TEST("MP+noc+static+posted", "MP+noc+static with posted writes", SAME, "1"),
     ACTORS(ON(0, NC, WR(1, X, 16, 2u | CHANNEL(1u)), WR(1, Y, 16, 2u | CHANNEL(1u))), ON(1, NC, POLL(Y), LD(X, 0))),
     SEE(R(1, 0))},
    {TEST("MP+noc+channels", "MP+noc on two static channels", ANY, "0|1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK | CHANNEL(0u)), WR(1, Y, 16, 2u | ACK | CHANNEL(1u))),
            ON(1, B, POLL(Y), LD(X, 0))), SEE(R(1, 0))},
    {TEST("MP+noc+linked", "MP+noc; the first write is linked to the second", SAME, "1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK | LINKED), WR(1, Y, 16, 2u | ACK)), ON(1, B, POLL(Y), LD(X, 0))),
     SEE(R(1, 0))},
    {TEST("MP+nocs", "write x on NOC 0, write y on NOC 1",
          "Ordering.md, \"Stronger ordering\": no order between NOCs", "0|1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK), WR(1, Y, 16, 2u | ACK | NOC1)), ON(1, B, POLL(Y), LD(X, 0))),
     SEE(R(1, 0))},
    {TEST("MP+nocs+wait", "MP+nocs; the response comes first", RESPONSE, "1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK), WAIT(0), WR(1, Y, 16, 2u | ACK | NOC1)), ON(1, B, POLL(Y), LD(X, 0))),
     SEE(R(1, 0))},
    {TEST("MP+noc+wait", "MP+noc; the response comes first", RESPONSE, "1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK), WAIT(0), WR(1, Y, 16, 2u | ACK)), ON(1, B, POLL(Y), LD(X, 0))),
     SEE(R(1, 0))},
    {TEST("MP+noc+sent", "MP+noc; the source has left first",
          "Counters.md: outgoing writes have left, not arrived", "0|1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK), SENT(0), WR(1, Y, 16, 2u | ACK)), ON(1, B, POLL(Y), LD(X, 0))),
     SEE(R(1, 0))},
    {TEST("MP+noc+atomic", "write x, increment y | poll y, load x", ANY, "0|1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK), ADD(1, Y, RETURN, ACK)), ON(1, B, POLL(Y), LD(X, 0))), SEE(R(1, 0))},
    {TEST("MP+noc+atomic+static", "MP+noc+atomic on one static channel", NO_RULE, "0|1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK | CHANNEL(0u)), ADD(1, Y, RETURN, ACK | CHANNEL(0u))),
            ON(1, B, POLL(Y), LD(X, 0))), SEE(R(1, 0))},
    {TEST("MP+noc+atomic+wait", "MP+noc+atomic; the response comes first", RESPONSE, "1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK), WAIT(0), ADD(1, Y, RETURN, ACK)), ON(1, B, POLL(Y), LD(X, 0))),
     SEE(R(1, 0))},
    {TEST("MP+noc+stale", "MP+noc+wait; the reader has loaded x before, and polls with fences", FLUSH, "1"), WARM,
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK), WAIT(0), WR(1, Y, 16, 2u | ACK)),
            ON(1, B, SETTLE(X), POLL(Y), LD(X, 0))), SEE(R(1, 0))},
    {TEST("MP+register", "write x, write a stream register, on one static channel | poll it, load x",
          NO_RULE, "0|1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK | CHANNEL(0u)), REG(1, STREAM_A, 1, CHANNEL(0u))),
            ON(1, B, POLL(STREAM_A), LD(X, 0))), SEE(R(1, 0))},
    {TEST("MP+initiators", "write x, which has left, tell another core, which writes y, on one static "
          "channel | poll y, load x",
          "Ordering.md: NOC_CMD_CTRL of all initiators is in order; " IN_TRANSIT, "1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK | CHANNEL(0u)), SENT(0), ST(Z, 1)),
            ON(0, NC, POLL(Z), WR(1, Y, 16, 2u | ACK | CHANNEL(0u))), ON(1, B, POLL(Y), LD(X, 0))), SEE(R(2, 0))},
    {TEST("MC+flag", "multicast x, multicast y | poll y, load x, at two tiles", ANY, ALL2),
     ACTORS(ON(0, B, MC(2, X, 0), MC(2, Y, 0)), ON(1, B, POLL(Y), LD(X, 0)), ON(2, B, POLL(Y), LD(X, 0))),
     SEE(R(1, 0), R(2, 0))},
    {TEST("MC+flag+static", "MC+flag on one static channel", SAME, "1 1"),
     ACTORS(ON(0, B, MC(2, X, CHANNEL(2u)), MC(2, Y, CHANNEL(2u))), ON(1, B, POLL(Y), LD(X, 0)),
            ON(2, B, POLL(Y), LD(X, 0))), SEE(R(1, 0), R(2, 0))},
    {TEST("MC+unicast", "multicast x, write y | poll y, load x", ANY, "0|1"),
     ACTORS(ON(0, B, MC(2, X, 0), WR(1, Y, 16, 2u | ACK)), ON(1, B, POLL(Y), LD(X, 0))), SEE(R(1, 0))},

    /* One packet. */
    {TEST("unit", "a write of 16 bytes | load its second word, load its first",
          "Ordering.md: each write of 16 bytes is atomic", "0 0|0 1|1 1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK)), ON(1, B, LD(X + 4, 0), FENCE, LD(X, 1))), SEE(R(1, 0), R(1, 1))},
    {TEST("units", "a write of 32 bytes | load its second half, load its first",
          "Ordering.md: writes of 16 bytes may happen in any order", ALL2),
     ACTORS(ON(0, B, WR(1, X, 32, 2u | ACK)), ON(1, B, LD(X + 16, 0), FENCE, LD(X, 1))), SEE(R(1, 0), R(1, 1))},
    {TEST("units+stream", "a write of 64 bytes | load its first unit, load its third",
          "Ordering.md: the reader may come between two units of a stream", ALL2),
     ACTORS(ON(0, B, WR(1, X, 64, 2u | ACK)), ON(1, B, LD(X, 0), FENCE, LD(X + 32, 1))), SEE(R(1, 0), R(1, 1))},
    {TEST("units+stream+reverse", "a write of 64 bytes | load its third unit, load its first",
          "Ordering.md: within a stream the writes happen in ascending order", "0 0|0 1|1 1"),
     ACTORS(ON(0, B, WR(1, X, 64, 2u | ACK)), ON(1, B, LD(X + 32, 0), FENCE, LD(X, 1))), SEE(R(1, 0), R(1, 1))},
    {TEST("units+flag", "a write of 64 bytes | poll its last word, load its first",
          "Ordering.md: writes of 16 bytes may happen in any order", "0|1"),
     ACTORS(ON(0, B, WR(1, X, 64, 2u | ACK)), ON(1, B, POLL(X + 60), LD(X, 0))), SEE(R(1, 0))},
    {TEST("source", "write from x, store x=0",
          "Counters.md: a source may change when its write is not outgoing", "0|1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK), ST(FROM, 0), WAIT(0))), SEE(M(1, X))},
    {TEST("source+sent", "source; it waits until the write has left",
          "Counters.md: a source may change when its write is not outgoing", "1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK), SENT(0), ST(FROM, 0), WAIT(0))), SEE(M(1, X))},

    /* Reads. */
    {TEST("read", "read to x, load x", "Counters.md: data have landed when the response has", "0|1"),
     ACTORS(ON(0, B, RD(1, FROM, X, 0), LD(X, 0), WAIT(0))), SEE(R(0, 0))},
    {TEST("read+wait", "read; it waits for the response", RESPONSE, "1"),
     ACTORS(ON(0, B, RD(1, FROM, X, 0), WAIT(0), LD(X, 0))), SEE(R(0, 0))},
    {TEST("write+read", "write x, read x", ANY, "0|1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK), RD(1, X, Y, 0), WAIT(0), LD(Y, 0))), SEE(R(0, 0))},
    {TEST("write+read+static", "write+read on one static channel", RULE("1"), "1"),
     ACTORS(ON(0, B, WR(1, X, 16, 2u | ACK | CHANNEL(0u)), RD(1, X, Y, CHANNEL(0u)), WAIT(0), LD(Y, 0))),
     SEE(R(0, 0))},
    {TEST("write+write", "write x=1, write x=2", ANY, "1|2"),
     ACTORS(ON(0, B, ST(Z, 2), SETTLE(Z), WR(1, X, 16, 2u | ACK), WR_FROM(1, X, Z, 16, 2u | ACK), WAIT(0))),
     SEE(M(1, X))},
    {TEST("write+write+static", "write+write on one static channel", RULE("4"), "2"),
     ACTORS(ON(0, B, ST(Z, 2), SETTLE(Z), WR(1, X, 16, 2u | ACK | CHANNEL(0u)),
               WR_FROM(1, X, Z, 16, 2u | ACK | CHANNEL(0u)), WAIT(0))), SEE(M(1, X))},
    {TEST("read+write+static", "read x, write x on one static channel", NO_RULE, "0|1"),
     ACTORS(ON(0, B, RD(1, X, Y, CHANNEL(0u)), WR(1, X, 16, 2u | ACK | CHANNEL(0u)), WAIT(0), LD(Y, 0))),
     SEE(R(0, 0))},
    {TEST("read+write+linked", "read x, linked to write x", RULE("2"), "0"),
     ACTORS(ON(0, B, RD(1, X, Y, LINKED), WR(1, X, 16, 2u | ACK), WAIT(0), LD(Y, 0))), SEE(R(0, 0))},

    /* DRAM, which a tile writes and another one reads. Atomics act on L1 alone. */
    {TEST("DRAM+write+read", "write x in DRAM, read x", ANY, "0|1"),
     ACTORS(ON(0, B, WR(DRAM, X, 16, 2u | ACK), RD(DRAM, X, Y, 0), WAIT(0), LD(Y, 0))), SEE(R(0, 0))},
    {TEST("DRAM+write+read+static", "DRAM+write+read on one static channel", RULE("1"), "1"),
     ACTORS(ON(0, B, WR(DRAM, X, 16, 2u | ACK | CHANNEL(0u)), RD(DRAM, X, Y, CHANNEL(0u)), WAIT(0), LD(Y, 0))),
     SEE(R(0, 0))},
    {TEST("DRAM+write+wait+read", "DRAM+write+read; the response comes first", RESPONSE, "1"),
     ACTORS(ON(0, B, WR(DRAM, X, 16, 2u | ACK), WAIT(0), RD(DRAM, X, Y, 0), WAIT(0), LD(Y, 0))), SEE(R(0, 0))},
    {TEST("DRAM+read+write+static", "read x in DRAM, write x on one static channel", NO_RULE, "0|1"),
     ACTORS(ON(0, B, RD(DRAM, X, Y, CHANNEL(0u)), WR(DRAM, X, 16, 2u | ACK | CHANNEL(0u)), WAIT(0), LD(Y, 0))),
     SEE(R(0, 0))},
    {TEST("DRAM+read+write+linked", "read x in DRAM, linked to write x", RULE("2"), "0"),
     ACTORS(ON(0, B, RD(DRAM, X, Y, LINKED), WR(DRAM, X, 16, 2u | ACK), WAIT(0), LD(Y, 0))), SEE(R(0, 0))},
    {TEST("DRAM+write+write", "write x=1 in DRAM, write x=2", ANY, "1|2"),
     ACTORS(ON(0, B, ST(Z, 2), SETTLE(Z), WR(DRAM, X, 16, 2u | ACK), WR_FROM(DRAM, X, Z, 16, 2u | ACK), WAIT(0))),
     SEE(M(DRAM, X))},
    {TEST("DRAM+write+write+static", "DRAM+write+write on one static channel", RULE("4"), "2"),
     ACTORS(ON(0, B, ST(Z, 2), SETTLE(Z), WR(DRAM, X, 16, 2u | ACK | CHANNEL(0u)),
               WR_FROM(DRAM, X, Z, 16, 2u | ACK | CHANNEL(0u)), WAIT(0))), SEE(M(DRAM, X))},
    {TEST("DRAM+MP", "write x in DRAM, write y at a tile | poll y, read x", ANY, "0|1"),
     ACTORS(ON(0, B, WR(DRAM, X, 16, 2u | ACK), WR(1, Y, 16, 2u | ACK)),
            ON(1, B, POLL(Y), RD(DRAM, X, Z, 0), WAIT(0), LD(Z, 0))), SEE(R(1, 0))},
    {TEST("DRAM+MP+static", "DRAM+MP on one static channel: the routes differ", ANY, "0|1"),
     ACTORS(ON(0, B, WR(DRAM, X, 16, 2u | ACK | CHANNEL(0u)), WR(1, Y, 16, 2u | ACK | CHANNEL(0u))),
            ON(1, B, POLL(Y), RD(DRAM, X, Z, CHANNEL(0u)), WAIT(0), LD(Z, 0))), SEE(R(1, 0))},
    {TEST("DRAM+MP+wait", "DRAM+MP; the response comes first", RESPONSE, "1"),
     ACTORS(ON(0, B, WR(DRAM, X, 16, 2u | ACK), WAIT(0), WR(1, Y, 16, 2u | ACK)),
            ON(1, B, POLL(Y), RD(DRAM, X, Z, 0), WAIT(0), LD(Z, 0))), SEE(R(1, 0))},
    {TEST("DRAM+MP+atomic", "write x in DRAM, increment y at a tile | poll y, read x", ANY, "0|1"),
     ACTORS(ON(0, B, WR(DRAM, X, 16, 2u | ACK), ADD(1, Y, RETURN, ACK)),
            ON(1, B, POLL(Y), RD(DRAM, X, Z, 0), WAIT(0), LD(Z, 0))), SEE(R(1, 0))},
    {TEST("DRAM+MP+atomic+wait", "DRAM+MP+atomic; the response comes first", RESPONSE, "1"),
     ACTORS(ON(0, B, WR(DRAM, X, 16, 2u | ACK), WAIT(0), ADD(1, Y, RETURN, ACK)),
            ON(1, B, POLL(Y), RD(DRAM, X, Z, 0), WAIT(0), LD(Z, 0))), SEE(R(1, 0))},
    {TEST("DRAM+two", "write x in DRAM, write y there on one static channel | read y, then read x",
          SAME, "0 0|0 1|1 1"),
     ACTORS(ON(0, B, WR(DRAM, X, 16, 2u | ACK | CHANNEL(0u)), WR(DRAM, Y, 16, 2u | ACK | CHANNEL(0u)), WAIT(0)),
            ON(1, B, RD(DRAM, Y, Y, 0), WAIT(0), RD(DRAM, X, Z, 0), WAIT(0), LD(Y, 0), LD(Z, 1))),
     SEE(R(1, 0), R(1, 1))},
    {TEST("DRAM+two+tiles", "two tiles write x=1 and x=2 in DRAM", ANY, "1|2"),
     ACTORS(ON(0, B, WR(DRAM, X, 16, 2u | ACK), WAIT(0)),
            ON(1, B, ST(Z, 2), SETTLE(Z), WR_FROM(DRAM, X, Z, 16, 2u | ACK), WAIT(0))), SEE(M(DRAM, X))},

    /* Atomics. */
    {TEST("atomic+atomic", "increment x twice, answered", ANY, "0 1|1 0"), NO_RACE,
     ACTORS(ON(0, B, ADD(1, X, Y, ACK), ADD(1, X, Z, ACK), WAIT(0), LD(Y, 0), LD(Z, 1))), SEE(R(0, 0), R(0, 1))},
    {TEST("atomic+atomic+static", "atomic+atomic on one static channel", RULE("3"), "0 1"),
     ACTORS(ON(0, B, ADD(1, X, Y, ACK | CHANNEL(0u)), ADD(1, X, Z, ACK | CHANNEL(0u)), WAIT(0), LD(Y, 0), LD(Z, 1))),
     SEE(R(0, 0), R(0, 1))},
    {TEST("posted+atomic+static", "a posted and an answered increment on one static channel", NO_RULE, "0|1"), NO_RACE,
     ACTORS(ON(0, B, ADD(1, X, Y, CHANNEL(0u)), ADD(1, X, Z, ACK | CHANNEL(0u)), WAIT(0), LD(Z, 0))), SEE(R(0, 0))},
    {TEST("posted", "a posted increment, its core tells another, which reads",
          "Counters.md: there is no response to wait for", "0|1"),
     ACTORS(ON(0, B, ADD(1, X, Y, 0), WAIT(0), RD(1, X, Y, 0), WAIT(0), LD(Y, 0))), SEE(R(0, 0))},
    {TEST("atomics", "two tiles increment x", "Atomics.md: an atomic is indivisible", "0 1 2|1 0 2"), NO_RACE,
     ACTORS(ON(0, B, ADD(2, X, Y, ACK), WAIT(0), LD(Y, 0)), ON(1, B, ADD(2, X, Y, ACK), WAIT(0), LD(Y, 0))),
     SEE(R(0, 0), R(1, 0), M(2, X))},
    {TEST("atomic+amo", "a tile increments x, which a core there increments too",
          "Atomics.md: an atomic is indivisible", "0 1 2|1 0 2"), NO_RACE,
     ACTORS(ON(0, B, ADD(1, X, Y, ACK), WAIT(0), LD(Y, 0)), ON(1, B, AMO(X, 0, 1))), SEE(R(0, 0), R(1, 0), M(1, X))},

    /* Registers over the NOC. */
    {TEST("registers", "write a register twice", ANY, "1|2"),
     ACTORS(ON(0, B, REG(1, STREAM_A, 1, 0), REG(1, STREAM_A, 2, 0), WAIT(0))), SEE(M(1, STREAM_A))},
    {TEST("registers+static", "registers on one static channel", RULE("5"), "2"),
     ACTORS(ON(0, B, REG(1, STREAM_A, 1, CHANNEL(0u)), REG(1, STREAM_A, 2, CHANNEL(0u)), WAIT(0))),
     SEE(M(1, STREAM_A))},
    {TEST("read+register", "store x, store a stream register | read the register, read x", ANY, ALL2),
     ACTORS(ON(1, B, ST(X, 1), SETTLE(X), ST(STREAM_A, 1)),
            ON(0, B, READ(1, STREAM_A, Y, 4, 0), READ(1, X, Z, 16, 0), WAIT(0), LD(Y, 0), LD(Z, 1))),
     SEE(R(1, 0), R(1, 1))},
    {TEST("read+register+static", "read+register on one static channel", RULE("6"), "0 0|0 1|1 1"),
     ACTORS(ON(1, B, ST(X, 1), SETTLE(X), ST(STREAM_A, 1)),
            ON(0, B, READ(1, STREAM_A, Y, 4, CHANNEL(0u)), READ(1, X, Z, 16, CHANNEL(0u)), WAIT(0), LD(Y, 0),
               LD(Z, 1))),
     SEE(R(1, 0), R(1, 1))},
    {TEST("registers+flag", "write a register, then another on one static channel | poll that, load the first",
          RULE("5"), "1"),
     ACTORS(ON(0, B, REG(1, STREAM_A, 1, CHANNEL(0u)), REG(1, STREAM_B, 1, CHANNEL(0u))),
            ON(1, B, POLL(STREAM_B), LD(STREAM_A, 0))), SEE(R(1, 0))},
};
/* clang-format on */

const unsigned tf_litmus_count = sizeof tf_litmus_tests / sizeof tf_litmus_tests[0];
