/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of run() in interp.c: the handlers that are in no list, and the labels to which handlers go. They use the
 * variables that forms.h names. Labels outside a function, as clang-format sees them, it would join with other lines.
 */
/* clang-format off */

/* Nothing, jumps and calls. */

do_NOP:
    if ((TF_EXPLORED || TF_ORDERED) && IS_FENCE(op))
        goto do_SLOW;
    if (TF_CHECKED && IS_FENCE(op))
        check->fence(check, hart->core);
    NEXT();

do_JUMP:
    DO_J(JUMP);

/* All jumps until the limit at once. They do not count as executed. */
do_SPIN:
    if (TF_COUNTED && counter != NULL) {
        if (first != pc_of(op))
            counter->ran(counter, hart->core, first, pc_of(op), pc_of(op) | TF_STRETCH_PAUSES, CYCLE());
        first = pc_of(op);
        counter->stopped(counter, tile, hart);
    }
    end -= sizeof *op;
    tile->figures.executed--;
    if ((uintptr_t)op < end) {
        tile->figures.executed -= (end - (uintptr_t)op) / sizeof *op;
        end = (uintptr_t)op;
    }
    goto leave_at_op;

do_JAL:
    x[op->rd] = pc_of(op) + 4;
    GO_NEAR(op->imm, tf_stretch_end_of_jump(op->rd, 0));

do_JAL_FAR:
    x[op->rd] = pc_of(op) + 4;
    GO((uint32_t)op->imm, tf_stretch_end_of_jump(op->rd, 0));

do_JALR:
    target = (x[op->rs1] + (uint32_t)op->imm) & ~1u;
    x[op->rd] = pc_of(op) + 4;
    GO(target, tf_stretch_end_of_jump(op->rd, op->rs1));

/* Pushes to the coprocessor, and stores to registers. */

do_TTINSN:
    if (TF_EXPLORED)
        goto do_SLOW;
    target = push_run(tile, hart, op, CYCLE());
    if (UNLIKELY(target == 0)) {
        if (!tf_tensix_push_closed(tile, hart->core))
            goto do_SLOW;
        after = claim_push(tile, hart, op, CYCLE(), bias);
        if (after != AFTER_GO_ON)
            goto stepped;
        target = push_run(tile, hart, op, CYCLE());
        if (target == 0)
            goto do_SLOW;
    }
    op += target;
    DISPATCH();

/* Consecutive stores to fast words. */
do_SW_FAST:
    target = address_of(x, op);
    if (UNLIKELY(!tf_fast_reaches(target)))
        goto do_SW;
    at = tf_fast_storable(&tile->fast, target);
    if (TF_CHECKED || UNLIKELY(at == NULL))
        goto store_to_register;
    op += store_burst(&tile->fast, at, x, op, target);
    DISPATCH();

do_SW_REGISTER:
    target = address_of(x, op);
    if (UNLIKELY(!tf_fast_reaches(target)))
        goto do_SW;
store_to_register:
    after = store_register(tile, hart, op, target, CYCLE(), bias);
    goto stepped;

store_outside:
    if (TF_EXPLORED)
        goto do_SLOW;
    target = address_of(x, op);
    if (tf_fast_reaches(target)) {
        tf_page_expect(op, tf_fast_takes(&tile->fast, target) != NULL ? TF_H_SW_FAST : TF_H_SW_REGISTER);
        goto store_to_register;
    }
    if (is_push(x, op)) { /* other registers need no call: row `reader-writer` */
        unsigned pushed = push_stored(tile, hart, op, CYCLE(), &&do_SW, &&do_SW_SW);
        op += pushed;
        if (pushed != 0)
            DISPATCH();
    }
    if (target % 4 == 0)
        goto store_to_register;
    goto do_SLOW;

/* Loads from registers. */

do_LW_FAST:
    if (TF_CHECKED && tf_fast_find(&tile->fast, address_of(x, op), &word))
        goto load_from_register;
    LOAD_FAST();
    NEXT();

do_POLL_FAST_2:
    if (TF_CHECKED)
        goto do_LW_FAST;
    POLL_FAST(2);

do_POLL_FAST_3:
    if (TF_CHECKED)
        goto do_LW_FAST;
    POLL_FAST(3);

load_outside:
    if (TF_EXPLORED)
        goto do_SLOW;
    target = address_of(x, op);
    if (target % 4 != 0)
        goto do_SLOW;
    if (tf_fast_word(&tile->fast, target) != NULL)
        tf_page_expect(op, TF_H_LW_FAST);
    else if (is_past_fast(target))
        tf_page_expect(op, TF_H_LW_REGISTER);
    goto load_from_register;

do_LW_REGISTER:
    if (UNLIKELY(!is_past_fast(address_of(x, op))))
        goto do_LW;
load_from_register:
    after = load_register(tile, hart, op, CYCLE(), bias);
    goto stepped;

/* Instructions that tf_exec() executes, and the ways back from there. */

do_SLOW:
    stepped_pc = TF_COUNTED ? pc_of(op) : 0;
    after = step(tile, hart, op, CYCLE(), bias);
stepped:
    switch (after) {
    case AFTER_GO_ON: NEXT();
    case AFTER_TRANSFER:
        COUNT(stepped_pc, hart->pc, TF_STRETCH_RETURNS, hart->cycle);
        if (hart->cycle >= limit)
            goto leave;
        goto resync;
    case AFTER_RESYNC:
        if (UNLIKELY(hart->searches))
            goto leave; /* its loads are not ordinary ones (tile/search/search.h) */
        goto resync;
    case AFTER_STOP: goto leave;
    }
    goto leave;

do_STALE:
    tf_code_refresh(tile, tf_page_of(op), tf_page_index(op));
    DISPATCH();

do_NEXT_PAGE:
    sync_hart(hart, op, CYCLE(), bias);
    goto resync;

transfer_to_target:
    hart->pc = target;
    hart->cycle = CYCLE() + 1;
    hart->instret = hart->cycle + bias;
    if (hart->cycle >= limit)
        goto leave;
    goto resync;
