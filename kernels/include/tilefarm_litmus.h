/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Litmus tests: short programs of a few actors. Their outcomes show which orders a memory keeps. The host writes the
 * steps of each actor to L1 as rows of words. The kernel `litmus` copies them to local RAM and executes them.
 */
#ifndef TILEFARM_LITMUS_H
#define TILEFARM_LITMUS_H

#define TF_LITMUS_STEPS 12u     /* of an actor */
#define TF_LITMUS_STEP_WORDS 8u /* operation, a, b, c, d, e, iterations of an empty loop before it, unused */
#define TF_LITMUS_REGISTERS 8u

/* L1 of every tile. */
#define TF_LITMUS_SCRIPT(core) (0x15000u + (core)*0x400u)
#define TF_LITMUS_RESULT(core) (0x17000u + (core)*0x40u)
#define TF_LITMUS_X 0x18000u
#define TF_LITMUS_Y 0x18100u
#define TF_LITMUS_Z 0x18200u
#define TF_LITMUS_FROM 0x18400u /* sources of writes; the host fills them with 1 */
#define TF_LITMUS_RETURN 0x18600u
#define TF_LITMUS_READY 0x18700u
#define TF_LITMUS_IN 0x30000u /* tiles of 1024 numbers in bf16 */
#define TF_LITMUS_OUT 0x34000u

/* Ctrl: bits of NOC_CTRL. Places: NOC 0 coordinates as x | y << 6. */
enum tf_litmus_op {
    TF_LITMUS_END,
    TF_LITMUS_STORE, /* a: address, b: value */
    TF_LITMUS_LOAD,  /* a: address, b: register */
    TF_LITMUS_FENCE,
    TF_LITMUS_AMO,        /* amoadd. a: address, b: register, c: addend */
    TF_LITMUS_SETTLE,     /* load, and wait for its value. a: address */
    TF_LITMUS_POLL,       /* load until the value is not 0, with fences. a: address */
    TF_LITMUS_WRITE,      /* a: address at the target, b: source, c: bytes, d: place, e: ctrl | NOC << 31 */
    TF_LITMUS_READ,       /* a: address at the target, b: destination, c: bytes, d, e */
    TF_LITMUS_ADD,        /* NOC increment by 1. a: address, b: return address, d, e */
    TF_LITMUS_REGISTER,   /* inline write. a: address, b: value, d, e */
    TF_LITMUS_MULTICAST,  /* a: address, b: source, c: bytes, d: rectangle, e */
    TF_LITMUS_WAIT,       /* wait for the responses. e: NOC << 31 */
    TF_LITMUS_SENT,       /* wait until sources may change. e: NOC << 31 */
    TF_LITMUS_LOADS_WAIT, /* set bit 0 of cfg0: later loads wait until the store queue is empty */
    TF_LITMUS_STRONG,     /* set bit 0 of pmacfg0: each later access has a fence before it */
    TF_LITMUS_LOAD_LOAD,  /* two loads, then use both values. a, c: addresses, b: first of two registers */
    TF_LITMUS_LOAD_STORE, /* a load, a store of 1, then use the value. a, c: addresses, b: register */
    /* The coprocessor. */
    TF_LITMUS_CONFIGURE,   /* B: configure its units, and tell the other cores */
    TF_LITMUS_CONFIGURED,  /* T0..T2: wait for B's configuration */
    TF_LITMUS_FILL,        /* fill a tile with words. a: address, b: word */
    TF_LITMUS_UNPACK,      /* T0: push an unpacker's instruction that reads a tile to Dst. a: address */
    TF_LITMUS_GIVE,        /* T0: give Dst to T2 */
    TF_LITMUS_PACK_ZEROS,  /* T2: push a packer's instructions that write a tile of zeros. a: address */
    TF_LITMUS_PACK,        /* T2: wait for Dst, and pack the tile in it. a: address */
    TF_LITMUS_WAIT_PACKER, /* T2: push a STALLWAIT on the packer */
    TF_LITMUS_POST,        /* T2: push a SEMPOST of semaphore 2 */
    TF_LITMUS_IDLE,        /* wait until the thread and its units are idle */
    TF_LITMUS_MOVED,       /* wait until the status of TDMA-RISC says that the mover is idle */
    TF_LITMUS_STORE_UNIT,  /* T2: push a STOREIND of 1, by the scalar unit. a: address */
    TF_LITMUS_WAIT_SCALAR, /* T2: push a STALLWAIT on the scalar unit's requests */
};

#endif
