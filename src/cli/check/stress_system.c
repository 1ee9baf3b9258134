/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check/stress_system.h"

#include "cli/systems/contend.h"
#include "tilefarm/tilefarm_system_config.h"
#include "tilefarm_layout.h"

/* Messages of a round. Short rounds test how runs begin and end. */
#define SHORT_ROUND 10u
#define LONG_ROUND 300u

static bool note_error(struct tf_stress_failure *failure, const char *text, int error)
{
    snprintf(failure->text, sizeof failure->text, "%s", text[0] != '\0' ? text : tf_strerror(error));
    return false;
}

bool tf_stress_system_open(struct tf_stress_system *stress, const struct tf_cluster *cluster, unsigned threads,
                           uint32_t seed, struct tf_stress_failure *failure)
{
    struct tf_system_config config;
    struct tf_message message = {""};
    *stress = (struct tf_stress_system){.seed = seed};
    tf_system_config_init(&config);
    config.cluster = cluster;
    config.chip.mode = TF_MODE_RELAXED;
    config.chip.threads = threads;
    const int error = tf_system_create(&config, &stress->system, &message);
    return error == TF_OK || note_error(failure, message.text, error);
}

void tf_stress_system_close(struct tf_stress_system *stress)
{
    tf_system_destroy(stress->system);
    stress->system = NULL;
}

static void tell_fault(const struct tf_stress_system *stress, struct tf_stress_failure *failure)
{
    struct tf_fault fault;
    for (unsigned i = 0; i < tf_system_cluster(stress->system)->chips; i++)
        if (tf_fault_get(tf_system_chip(stress->system, i), 0, &fault) == TF_OK)
            snprintf(failure->text, sizeof failure->text, "%s fault on chip %u, pc 0x%x: %s",
                     tf_fault_category_name(fault.category), i, fault.pc, fault.text);
}

static bool judge(struct tf_stress_system *stress, void *work, struct tf_stress_failure *failure)
{
    struct tf_message message = {""};
    const int error = tf_system_contend.verify(stress->system, work, &message);
    failure->invariant = tf_contend_invariant(work);
    if (error != TF_OK)
        return note_error(failure, message.text, error);
    stress->rounds++;
    stress->messages += tf_contend_messages(work);
    stress->requests += tf_contend_requests(work);
    return true;
}

static bool run(struct tf_stress_system *stress, void *work, bool *interrupted, struct tf_stress_failure *failure)
{
    enum tf_end end = TF_END_STOPPED;
    const int error = tf_system_run(stress->system, NULL, &end);
    if (error != TF_OK)
        return note_error(failure, "", error);
    *interrupted = end == TF_END_STOPPED;
    if (end == TF_END_FAULT)
        tell_fault(stress, failure);
    return end != TF_END_FAULT && (*interrupted || judge(stress, work, failure));
}

bool tf_stress_system_round(struct tf_stress_system *stress, bool *interrupted, struct tf_stress_failure *failure)
{
    const uint32_t seed = stress->seed + (uint32_t)stress->rounds;
    const struct tf_workload_options options = {
        .scale = tf_k_mix(seed) % 4 == 0 ? LONG_ROUND : SHORT_ROUND + tf_k_mix(seed) % SHORT_ROUND, .seed = seed};
    struct tf_message message = {""};
    void *work = NULL;
    const int error = tf_system_contend.setup(stress->system, &options, &work, &message);
    const bool fine = error == TF_OK ? run(stress, work, interrupted, failure)
                                     : note_error(failure, message.text, error);
    tf_system_contend.release(work);
    return fine;
}
