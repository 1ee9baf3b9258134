/* SPDX-License-Identifier: Apache-2.0 */
/* The trace of requests for tt-npe: its order, its zones, and the fields that its reader uses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "look/noc_trace.h"

static json_t *written(struct tf_noc_trace *trace)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(tf_noc_trace_write(&trace, 1, file));
    rewind(file);
    json_error_t error;
    json_t *array = json_loadf(file, 0, &error);
    fclose(file);
    assert_true(json_is_array(array));
    return array;
}

static long long number(const json_t *event, const char *key)
{
    json_t *value = json_object_get(event, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

static void is_text(const json_t *event, const char *key, const char *text)
{
    assert_string_equal(json_string_value(json_object_get(event, key)), text);
}

static void is_zone(const json_t *event, const char *processor, const char *phase, long long cycle)
{
    is_text(event, "proc", processor);
    is_text(event, "zone_phase", phase);
    assert_int_equal(number(event, "timestamp"), cycle);
    assert_null(json_object_get(event, "type"));
}

static struct tf_noc_event at(uint64_t cycle, enum tf_noc_step step, enum tf_noc_kind kind, unsigned x, unsigned core)
{
    return (struct tf_noc_event){
        .cycle = cycle,
        .step = step,
        .kind = kind,
        .initiator = {(uint8_t)x, 3},
        .target = {7, 8},
        .target_last = {7, 8},
        .core = (uint8_t)core,
        .bytes = 100,
    };
}

/* Sorted by column, row, processor and time, whatever the order in which they came. */
static void order_and_zones(void **state)
{
    (void)state;
    const struct tf_noc_event events[] = {
        at(50, TF_NOC_ISSUED, TF_NOC_WRITE, 2, TF_CORE_NC),  at(60, TF_NOC_ISSUED, TF_NOC_READ, 1, TF_CORE_NC),
        at(55, TF_NOC_ISSUED, TF_NOC_ATOMIC, 1, TF_CORE_NC), at(70, TF_NOC_ISSUED, TF_NOC_READ, 1, TF_CORE_B),
        at(90, TF_NOC_LANDED, TF_NOC_READ, 1, TF_CORE_B),
    };
    struct tf_noc_trace *trace = tf_noc_trace_create(NULL);
    for (unsigned i = 0; i < sizeof events / sizeof *events; i++)
        tf_noc_trace_add(trace, &events[i]);
    json_t *array = written(trace);
    assert_int_equal(json_array_size(array), 4 + 2 * 3);
    is_zone(json_array_get(array, 0), "BRISC", "ZONE_START", 70);
    is_text(json_array_get(array, 1), "type", "READ");
    is_zone(json_array_get(array, 2), "BRISC", "ZONE_END", 90);
    is_zone(json_array_get(array, 3), "NCRISC", "ZONE_START", 55);
    is_text(json_array_get(array, 4), "type", "SEMAPHORE_INC");
    is_text(json_array_get(array, 5), "type", "READ");
    assert_int_equal(number(json_array_get(array, 5), "timestamp"), 60);
    assert_int_equal(number(json_array_get(array, 5), "sx"), 1);
    assert_int_equal(number(json_array_get(array, 5), "sy"), 3);
    assert_int_equal(number(json_array_get(array, 8), "sx"), 2);
    is_text(json_array_get(array, 8), "type", "WRITE_");
    json_decref(array);
    tf_noc_trace_destroy(trace);
}

static void fields(void **state)
{
    (void)state;
    struct tf_noc_trace *trace = tf_noc_trace_create(NULL);
    struct tf_noc_event event = at(5, TF_NOC_ISSUED, TF_NOC_WRITE, 1, TF_CORE_B);
    event.vc_static = true;
    event.vc = 4;
    event.noc = 1;
    event.multicast = true;
    event.target_last = (struct tf_coord){2, 6};
    tf_noc_trace_add(trace, &event);
    event = at(6, TF_NOC_ISSUED, TF_NOC_WRITE_INLINE, 1, TF_CORE_NONE);
    tf_noc_trace_add(trace, &event);
    json_t *array = written(trace);
    const json_t *many = json_array_get(array, 1), *one = json_array_get(array, 4);
    is_text(many, "type", "WRITE_MULTICAST");
    is_text(many, "noc", "NOC_1");
    assert_int_equal(number(many, "vc"), 4);
    assert_int_equal(number(many, "num_bytes"), 100);
    assert_int_equal(number(many, "mcast_start_x") * 1000 + number(many, "mcast_start_y"), 7008);
    assert_int_equal(number(many, "mcast_end_x") * 1000 + number(many, "mcast_end_y"), 2006);
    assert_null(json_object_get(many, "dx"));
    is_text(one, "type", "WRITE_INLINE");
    is_text(one, "noc", "NOC_0");
    is_text(one, "proc", "CORE_AGG");
    assert_int_equal(number(one, "vc"), -1);
    assert_int_equal(number(one, "dx") * 1000 + number(one, "dy"), 7008);
    json_decref(array);
    tf_noc_trace_destroy(trace);
}

static void nothing(void **state)
{
    (void)state;
    struct tf_noc_trace *trace = tf_noc_trace_create(NULL);
    json_t *array = written(trace);
    assert_int_equal(json_array_size(array), 0);
    json_decref(array);
    tf_noc_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_and_zones),
        cmocka_unit_test(fields),
        cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
