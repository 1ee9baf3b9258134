/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/request/restored.h"

#include <stdlib.h>

#include "cli/request/request.h"
#include "cli/text.h"
#include "tilefarm/tilefarm_system_config.h"
#include "tilefarm/tilefarm_system_run.h"

bool tf_take_restored(struct tf_request *request, const char *option, const char *path)
{
    struct tf_system_config config;
    struct tf_message message = {"too little memory"};
    struct tf_restored *restored = request->restored != NULL ? request->restored : malloc(sizeof *restored);
    request->restored = restored;
    tf_system_config_init(&config);
    if (restored == NULL ||
        tf_saved_system_config(path, &config, &restored->cluster, restored->fault, &message) != TF_OK) {
        tf_cli_error("%s: %s", option, message.text);
        return false;
    }
    restored->latency_cycles = config.link_latency_cycles;
    restored->gbps = config.link_gbps;
    restored->faults = config.link_faults;
    *tf_config_in(&request->saved) = config.chip;
    if (request->system != NULL)
        return true;
    request->system = path;
    request->cluster = restored->cluster;
    tf_job_set_arch(&request->job, request->cluster.arch);
    return true;
}

bool tf_take_restored_chip(struct tf_request *request, const char *option, const char *path)
{
    struct tf_message message;
    struct tf_config *saved = tf_config_in(&request->saved);
    tf_config_init(saved);
    if (tf_saved_config(path, saved, &message) != TF_OK) {
        tf_cli_error("%s: %s", option, message.text);
        return false;
    }
    struct tf_config *config = tf_job_config(&request->job);
    if (config->arch != NULL)
        return true;
    request->family = config->arch = saved->arch;
    return tf_board_make(&request->board, &saved->board, &config->arch);
}

struct tf_wished_links tf_wished_links(const struct tf_request *request)
{
    const struct tf_restored *restored = request->restored;
    return (struct tf_wished_links){
        .latency_cycles = request->link_latency != 0 ? request->link_latency
                          : restored != NULL         ? restored->latency_cycles
                                                     : 0,
        .gbps = request->link_gbps != 0 ? request->link_gbps
                : restored != NULL      ? restored->gbps
                                        : 0,
        .faults = request->link_fault,
        .restored = restored,
    };
}
