/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Litmus tests: short programs of a few actors, whose outcomes say what orders a memory keeps. The host writes the
 * instructions of each actor to L1 as rows of words; the kernel `litmus` copies them to local RAM and executes them.
 */
#ifndef TILEFARM_LITMUS_H
#define TILEFARM_LITMUS_H

#define TF_LITMUS_STEPS 12u     /* of an actor */
#define TF_LITMUS_STEP_WORDS 8u /* operation, a, b, c, d, e, cycles to wait before it, unused */
#define TF_LITMUS_REGISTERS 8u

/* L1 of every tile. */
#define TF_LITMUS_SCRIPT(core) (0x15000u + (core)*0x400u)
#define TF_LITMUS_RESULT(core) (0x17000u + (core)*0x40u)
#define TF_LITMUS_X 0x18000u
#define TF_LITMUS_Y 0x18100u
#define TF_LITMUS_Z 0x18200u
#define TF_LITMUS_FROM 0x18400u /* sources of writes, which the host fills with 1 */
#define TF_LITMUS_BACK 0x18600u

/* Ctrl: bits of NOC_CTRL. Places: NOC 0 coordinates as x | y << 6. */
enum tf_litmus_op {
    TF_LITMUS_END,
    TF_LITMUS_STORE, /* a: address, b: value */
    TF_LITMUS_LOAD,  /* a: address, b: register */
    TF_LITMUS_FENCE,
    TF_LITMUS_AMO,       /* amoadd. a: address, b: register, c: addend */
    TF_LITMUS_SETTLE,    /* load, and wait for its value. a: address */
    TF_LITMUS_POLL,      /* until the value is not 0, with fences. a: address */
    TF_LITMUS_WRITE,     /* a: address at the target, b: source, c: bytes, d: place, e: ctrl | NOC << 31 */
    TF_LITMUS_READ,      /* a: address at the target, b: destination, c: bytes, d, e */
    TF_LITMUS_ADD,       /* NOC increment by 1. a: address, b: return address, d, e */
    TF_LITMUS_REGISTER,  /* inline write. a: address, b: value, d, e */
    TF_LITMUS_MULTICAST, /* a: address, b: source, c: bytes, d: rectangle, e */
    TF_LITMUS_WAIT,      /* for the responses. e: NOC << 31 */
    TF_LITMUS_SENT,      /* until sources may change. e: NOC << 31 */
};

#endif
