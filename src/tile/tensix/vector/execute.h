/* SPDX-License-Identifier: Apache-2.0 */
/* Executes batches of instructions, with the most frequent kinds inline; part of kernels.h. */

/* SFPLOAD or SFPSTORE; not in mode INT32_ALL. Returns false if there is no Dst yet. */
INLINE bool move(struct tf_sfpu_batch *s, uint32_t word, uint32_t lanes, bool load)
{
    unsigned mod0 = word >> 16 & 15, vd = word >> 20 & 15;
    if (s->dst == NULL && !tf_sfpu_look_up(s))
        return false;
    struct tf_vector *v = s->vector;
    struct tf_sfpu_place place = {
        .address = ((word & 0x3FF) + s->offset + s->rwc->dst) & 0x3FF,
        .mod0 = mod0 == TF_FMT_SRCB ? tf_sfpu_as_srcb(s) : mod0,
    };
    if (place.mod0 == TF_FMT_INT32_ALL) /* not in a batch */
        __builtin_unreachable();
    struct tf_dst_rows rows;
    if (!load) {
        unsigned physical = tf_sfpu_rows_to_store(s->dst, s->map, v, place, lanes, &rows);
        store_lanes(v, place.mod0, vd, &rows);
        tf_sfpu_define_rows(s->dst, physical, rows.lanes);
    } else {
        unsigned undefined = tf_sfpu_rows_to_load(s->dst, s->map, v, place, lanes, &rows);
        if (__builtin_expect(undefined != 0, 0))
            tf_sfpu_load_undefined(v, place, vd, &rows, undefined);
        else
            load_lanes(v, place.mod0, vd, &rows);
    }
    tf_rwc_modify_dst(s->tile, s->rwc, s->modifiers, s->thread, word >> 13 & 7);
    return true;
}

/* SFPMAD, SFPADD and SFPMUL, with a VD below 8 and no modifier. */
INLINE void calculate(struct tf_vector *v, uint32_t word, uint32_t lanes, enum tf_vector_kind kind)
{
    const uint32_t *a = v->lreg[word >> 16 & 15], *b = v->lreg[word >> 12 & 15], *c = v->lreg[word >> 8 & 15];
    uint32_t *row = v->lreg[word >> 4 & 15];
    if (__builtin_expect(!calculate_rows(row, lanes, kind, a, b, c, 0, 0), 0))
        exact_multiply_add(row, lanes, a, b, c, 0);
}

/* Returns how many instructions were executed: up to the first whose kind is not the vector unit's. */
static uint32_t execute_batch(struct tf_sfpu_batch *batch, const struct tf_sfpu_words *words)
{
    struct tf_vector *v = batch->vector;
    const char *word_at = (const char *)words->word;
    const uint8_t *kind = words->kind;
    uint32_t lanes = tf_lanes_enabled(v), done = 0;
    for (; done < words->count; done++, word_at += words->word_step, kind += words->kind_step) {
        uint32_t word = *(const uint32_t *)(const void *)word_at;
        switch (tf_kind_in_vector(*kind)) {
        case TF_VECTOR_LOAD:
            if (!move(batch, word, lanes, true))
                return done;
            break;
        case TF_VECTOR_STORE:
            if (!move(batch, word, lanes, false))
                return done;
            break;
        case TF_VECTOR_ADD: calculate(v, word, lanes, TF_VECTOR_ADD); break;
        case TF_VECTOR_MULTIPLY: calculate(v, word, lanes, TF_VECTOR_MULTIPLY); break;
        case TF_VECTOR_MULTIPLY_ADD: calculate(v, word, lanes, TF_VECTOR_MULTIPLY_ADD); break;
        case TF_VECTOR_NOTHING: break;
        case TF_VECTOR_REFUSABLE:
            if (tf_sfpu_objection(v, word, tf_sfpu_vd(tf_sfpu_op(word)->registers, word)) != NULL)
                return done;
            __attribute__((fallthrough));
        case TF_VECTOR_ALL_LANES:
            on_all_lanes[(word >> 24) - TF_OP_SFPLOAD](v, word);
            lanes = tf_lanes_enabled(v);
            break;
        default: return done;
        }
    }
    return done;
}
