/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of interp.c: the effects of an operation's form, and the jump to the next operation. Macros, since they jump to
 * labels of run() and use its variables:
 *
 *   op, end, limit   position of the hart, and the rest of the limit (interp.c)
 *   x, l1, l1_bytes  registers and memory; l1_words: its size in words
 *   target, word, at arguments of the labels
 *   result           of the first operation of a pair that TF_CHAINED has
 *   counter, first   of counted chips: whom to tell, and where the stretch began
 *   check            of checked chips: whom to tell
 */
#ifndef TILE_RISCV_INTERP_FORMS_H
#define TILE_RISCV_INTERP_FORMS_H

/* Types and sizes of the memory accesses that are fused. */
#define TYPE_LW uint32_t
#define SHIFT_LW 2
#define TYPE_LBU uint8_t
#define SHIFT_LBU 0
#define TYPE_SW uint32_t
#define SHIFT_SW 2
#define TYPE_SB uint8_t
#define SHIFT_SB 0

/* Jumps to the next operation. */

#define DISPATCH() goto *tf_op_handler(op)
#define NEXT()      \
    do {            \
        op++;       \
        DISPATCH(); \
    } while (0)
#define CYCLE() (limit - (uint64_t)((intptr_t)(end - (uintptr_t)op) >> 4))
/* A control transfer has retired, and op is its target. */
#define TRANSFERRED()                       \
    do {                                    \
        if (UNLIKELY((uintptr_t)op >= end)) \
            goto leave_at_op;               \
        DISPATCH();                         \
    } while (0)
/* The instruction at `pc` has jumped to `where`, as `how` says, and the hart is in `cycle` there. */
#define COUNT(pc, where, how, cycle)                                                                     \
    do {                                                                                                 \
        if (TF_COUNTED && counter != NULL) {                                                             \
            uint32_t next_ = (where);                                                                    \
            counter->ran(counter, hart->core, first, (pc) + 4, TF_STRETCH_NEXT(next_) | (how), (cycle)); \
            first = next_;                                                                               \
        }                                                                                                \
    } while (0)
#define GO_NEAR(distance, how)                                                      \
    do {                                                                            \
        COUNT(pc_of(op), pc_of(op) + (uint32_t)((distance) / 4), how, CYCLE() + 1); \
        end = end + (uintptr_t)(intptr_t)(distance) - sizeof *op;                   \
        op = (const void *)((uintptr_t)op + (uintptr_t)(intptr_t)(distance));       \
        TRANSFERRED();                                                              \
    } while (0)
/* Jump to an address. Code that is not decoded, or not in L1, takes the slow path. */
#define GO(where, how)                                                                     \
    do {                                                                                   \
        target = (where);                                                                  \
        COUNT(pc_of(op), target, how, CYCLE() + 1);                                        \
        uint32_t word_ = rotate_right(target, 2);                                          \
        struct tf_code_page **map_ = tile->code.page;                                      \
        if (UNLIKELY(word_ >= l1_bytes / 4 || map_[word_ / TF_CODE_WORDS] == NULL))        \
            goto transfer_to_target;                                                       \
        const struct tf_op *to_ = &map_[word_ / TF_CODE_WORDS]->op[word_ % TF_CODE_WORDS]; \
        end += (uintptr_t)to_ - (uintptr_t)op - sizeof *op;                                \
        op = to_;                                                                          \
        TRANSFERRED();                                                                     \
    } while (0)

/* A fence is among the instructions that do nothing. */
#define IS_FENCE(op) ((tf_rv_info(tf_page_of(op)->insn[tf_page_index(op)].id)->flags & TF_RV_F_FENCE) != 0)

/*
 * The effect of the operation at op, by the forms of TF_FUSED. Rotation moves a misaligned address beyond all memory.
 * tf_exec() does loads and stores outside L1 and local RAM, and stores to code.
 */
#define DO_R(id) x[op->rd] = tf_alu_##id(x[op->rs1], x[op->rs2])
#define DO_I(id) x[op->rd] = tf_alu_##id(x[op->rs1], (uint32_t)op->imm)
#define DO_U(id) x[op->rd] = tf_alu_##id(x[op->rs1], 0)
#define DO_C(id) x[op->rd] = (uint32_t)op->imm
#define DO_M(id) x[op->rd] = x[op->rs1]
#define DO_J(id) GO_NEAR(op->imm, TF_STRETCH_JUMPS)
#define DO_B(id) BRANCH(tf_alu_##id(x[op->rs1], x[op->rs2]))
#define BRANCH(condition)                       \
    do {                                        \
        if (condition)                          \
            GO_NEAR(op->imm, TF_STRETCH_JUMPS); \
        op++;                                   \
        TRANSFERRED();                          \
    } while (0)
#define DO_B_FAR(id)                                 \
    do {                                             \
        if (tf_alu_##id(x[op->rs1], x[op->rs2]))     \
            GO((uint32_t)op->imm, TF_STRETCH_JUMPS); \
        op++;                                        \
        TRANSFERRED();                               \
    } while (0)
#define FAR_FROM_MEMORY(shift, where) \
    do {                              \
        if ((shift) == 2)             \
            goto where;               \
        goto do_SLOW;                 \
    } while (0)
/* The operation at op is about to access L1. */
#define CHECK(what, where, shift)                                   \
    check->what(check, (struct tf_check_access){.cycle = CYCLE(),   \
                                                .pc = pc_of(op),    \
                                                .address = (where), \
                                                .core = hart->core, \
                                                .bytes = 1u << (shift)})
#define L1_LIMIT(shift) ((shift) == 2 ? l1_words : l1_bytes >> (shift))
#define DO_L(id) LOAD(TYPE_##id, SHIFT_##id, x[op->rs1], x[op->rd])
#define LOAD(type, shift, base, result)                                                                          \
    do {                                                                                                         \
        if (TF_ORDERED)                                                                                          \
            goto do_SLOW;                                                                                        \
        uint32_t address_ = (base) + (uint32_t)op->imm;                                                          \
        uint32_t at_ = rotate_right(address_, shift);                                                            \
        if (LIKELY(at_ < L1_LIMIT(shift))) {                                                                     \
            if (TF_EXPLORED && !tf_explored_load_is_direct(tile, hart, address_, 1u << (shift)))                 \
                goto do_SLOW;                                                                                    \
            if (TF_CHECKED)                                                                                      \
                CHECK(load, address_, shift);                                                                    \
            result = (uint32_t)__atomic_load_n((const type *)(const void *)l1 + at_, __ATOMIC_RELAXED);          \
        } else {                                                                                                 \
            at_ = rotate_right(address_ - TF_LOCAL_BASE, shift);                                                 \
            if (UNLIKELY(at_ >= hart->local_bytes >> (shift)))                                                   \
                FAR_FROM_MEMORY(shift, load_outside);                                                            \
            result = (uint32_t)__atomic_load_n((const type *)(const void *)hart->local + at_, __ATOMIC_RELAXED); \
        }                                                                                                        \
    } while (0)
#define DO_S(id) STORE(TYPE_##id, SHIFT_##id, x[op->rs2])
#define STORE(type, shift, value_)                                                                 \
    do {                                                                                           \
        if (TF_ORDERED)                                                                            \
            goto do_SLOW;                                                                          \
        uint32_t address_ = x[op->rs1] + (uint32_t)op->imm;                                        \
        uint32_t at_ = rotate_right(address_, shift);                                              \
        if (LIKELY(at_ < L1_LIMIT(shift))) {                                                       \
            if (UNLIKELY(tf_code_near(&tile->code, address_)) && !beside_code(tile, address_))     \
                goto do_SLOW;                                                                      \
            if (TF_EXPLORED && !tf_explored_store_is_direct(tile, hart, address_))                 \
                goto do_SLOW;                                                                      \
            if (TF_CHECKED)                                                                        \
                CHECK(store, address_, shift);                                                     \
            __atomic_store_n((type *)(void *)l1 + at_, (type)(value_), __ATOMIC_RELAXED);          \
        } else {                                                                                   \
            at_ = rotate_right(address_ - TF_LOCAL_BASE, shift);                                   \
            if (UNLIKELY(at_ >= hart->local_bytes >> (shift)))                                     \
                FAR_FROM_MEMORY(shift, store_outside);                                             \
            __atomic_store_n((type *)(void *)hart->local + at_, (type)(value_), __ATOMIC_RELAXED); \
        }                                                                                          \
    } while (0)

/* The effects of a pair of TF_CHAINED: the first operation leaves its result in `result` too. The second one takes it
   from there, as the operand that its form names. */
#define GIVE_R(id) x[op->rd] = result = tf_alu_##id(x[op->rs1], x[op->rs2])
#define GIVE_I(id) x[op->rd] = result = tf_alu_##id(x[op->rs1], (uint32_t)op->imm)
#define GIVE_L(id)                                       \
    do {                                                 \
        LOAD(TYPE_##id, SHIFT_##id, x[op->rs1], result); \
        x[op->rd] = result;                              \
    } while (0)
#define TAKE_R1(id) x[op->rd] = tf_alu_##id(result, x[op->rs2])
#define TAKE_R2(id) x[op->rd] = tf_alu_##id(x[op->rs1], result)
#define TAKE_I1(id) x[op->rd] = tf_alu_##id(result, (uint32_t)op->imm)
#define TAKE_L1(id) LOAD(TYPE_##id, SHIFT_##id, result, x[op->rd])
#define TAKE_S2(id) STORE(TYPE_##id, SHIFT_##id, result)
#define TAKE_B1(id) BRANCH(tf_alu_##id(result, x[op->rs2]))
#define TAKE_B2(id) BRANCH(tf_alu_##id(x[op->rs1], result))

/* Registers that are fast words (fast.h). */

#define LOAD_FAST()                                                         \
    do {                                                                    \
        if (UNLIKELY(!tf_fast_find(&tile->fast, address_of(x, op), &word))) \
            goto do_LW;                                                     \
        target = __atomic_load_n(word, __ATOMIC_RELAXED);                   \
        x[op->rd] = target;                                                 \
    } while (0)
/* A loop of `count` instructions that polls a fast word. Once the word is 0, the rest of the round only falls
   through. */
#define POLL_FAST(count) \
    do {                 \
        LOAD_FAST();     \
        if (target != 0) \
            NEXT();      \
        op += (count);   \
        TRANSFERRED();   \
    } while (0)

/* A word of L1 that is not code and that no other worker accesses is changed in place; tf_exec() does other words. */
#define AMO(id)                                                                          \
    do {                                                                                 \
        if (TF_CHECKED || TF_EXPLORED || TF_ORDERED)                                     \
            goto do_SLOW;                                                                \
        target = x[op->rs1];                                                             \
        if (UNLIKELY(rotate_right(target, 2) >= l1_bytes / 4 || tile->mode.shared ||     \
                     (tf_code_near(&tile->code, target) && !beside_code(tile, target)))) \
            goto do_SLOW;                                                                \
        at = (uint32_t *)(void *)(l1 + target);                                          \
        target = __atomic_load_n(at, __ATOMIC_RELAXED);                                  \
        __atomic_store_n(at, tf_alu_##id(target, x[op->rs2]), __ATOMIC_RELAXED);         \
        x[op->rd] = target;                                                              \
    } while (0)

/* Handlers of the operations in a list (page.h), and their places in the table of handlers. */

#define HANDLE(id, effect) \
    do_##id : effect;      \
    NEXT();
#define HANDLE_R(id, ...) HANDLE(id, DO_R(id))
#define HANDLE_I(id, ...) HANDLE(id, DO_I(id))
#define HANDLE_U(id, ...) HANDLE(id, DO_U(id))
#define HANDLE_B(id, ...) \
    do_##id : DO_B(id);   \
    do_##id##_FAR : DO_B_FAR(id);
#define HANDLE_LOAD(id, type, shift) HANDLE(id, LOAD(type, shift, x[op->rs1], x[op->rd]))
#define HANDLE_STORE(id, type, shift) HANDLE(id, STORE(type, shift, x[op->rs2]))
#define HANDLE_AMO(id, ...) HANDLE(id, AMO(id))
#define HANDLE_FUSED(form, id, form_of_next, next) \
    do_##id##_##next : DO_##form(id);              \
    op++;                                          \
    DO_##form_of_next(next);                       \
    NEXT();
#define HANDLE_CHAINED(form, id, form_of_next, next)     \
    do_##id##_##next##_##form_of_next : GIVE_##form(id); \
    op++;                                                \
    TAKE_##form_of_next(next);                           \
    NEXT();
#define ADDRESS(id, ...) [TF_H_##id] = &&do_##id,
#define ADDRESS_FAR(id, ...) [TF_H_##id##_FAR] = &&do_##id##_FAR,
#define ADDRESS_FUSED(form, id, form_of_next, next) [TF_H_##id##_##next] = &&do_##id##_##next,
#define ADDRESS_CHAINED(form, id, form_of_next, next) \
    [TF_H_##id##_##next##_##form_of_next] = &&do_##id##_##next##_##form_of_next,

#endif
