/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/request/contradict.h"

#include "cli/request/request.h"
#include "cli/text.h"

/* Options that contradict --restore or --save-at. */
static bool check_saved(const struct tf_request *request)
{
    const struct tf_job *job = &request->job;
    const char *option = job->restore != NULL ? "--restore" : "--save-at", *with = NULL;
    if (job->save_every.cycle != 0)
        option = "--save-every";
    if (job->restore == NULL && job->saves == 0 && (job->save_every.cycle == 0 || !tf_job_is_relaxed(job)))
        return true;
    if (tf_job_is_relaxed(job))
        with = "--relaxed";
    else if (job->restore != NULL && job->loads != 0)
        with = "--load: the saved chip has its programs";
    else if (job->saves != 0)
        option = "--save-at", with = tf_job_debugger(job);
    if (with != NULL)
        tf_cli_error("%s cannot be combined with %s", option, with);
    return with == NULL;
}

/* The user of a debugger decides how long a run takes. */
static bool check_debugger(const struct tf_request *request)
{
    const char *with = tf_job_debugger(&request->job);
    if (request->job.gdb != NULL && request->job.monitor)
        tf_cli_error("--gdb cannot be combined with --monitor");
    else if (request->job.limit_s != 0 && with != NULL)
        tf_cli_error("--limit-seconds cannot be combined with %s", with);
    else
        return true;
    return false;
}

/* Options that contradict --check. */
static bool check_check(const struct tf_request *request)
{
    const struct tf_job *job = &request->job;
    const char *with = tf_job_is_relaxed(job) ? "--relaxed"
                       : job->restore != NULL ? "--restore: accesses before the restored state are unknown"
                                              : NULL;
    if (job->fill.kind != TF_FILL_NONE && job->restore != NULL) {
        tf_cli_error("--fill cannot be combined with --restore");
        return false;
    }
    if (tf_job_checks(job) && with != NULL)
        tf_cli_error("--check cannot be combined with %s", with);
    else if (!tf_job_checks(job) && request->suppress != NULL)
        tf_cli_error("--suppress needs --check");
    return tf_job_checks(job) ? with == NULL : request->suppress == NULL;
}

/* The first option that has no meaning for several chips; NULL: there is none. */
static const char *not_for_systems(const struct tf_request *request)
{
    const struct {
        bool given;
        const char *option;
    } list[] = {
        {request->family != NULL && request->job.restore != NULL && request->restored == NULL,
         "--restore of a saved chip: leave --system out"},
        {request->family != NULL, "--arch: the system has its family"},
        {request->board.text.name != NULL, "--board: its chips have their boards"},
    };
    for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++)
        if (list[i].given)
            return list[i].option;
    return NULL;
}

/* The first file that a system in relaxed mode has no order for; NULL: there is none. */
static const char *needs_order(const struct tf_request *request)
{
    return request->system == NULL || !tf_job_is_relaxed(&request->job) ? NULL
           : request->out[TF_OUT_NOC_TRACE] != NULL                     ? "--noc-trace"
           : request->out[TF_OUT_TIMELINE] != NULL                      ? "--timeline"
           : request->out[TF_OUT_REPORT] != NULL                        ? "--report"
                                                                        : NULL;
}

static bool check_system(const struct tf_request *request)
{
    const char *ordered = needs_order(request);
    const char *with = request->system != NULL ? not_for_systems(request) : NULL;
    const bool links = request->link_latency != 0 || request->link_gbps != 0 || request->link_fault != NULL;
    if (with != NULL)
        tf_cli_error("%s cannot be combined with %s",
                     request->system == request->job.restore ? "--restore of a saved system" : "--system", with);
    else if (request->system == NULL && links)
        tf_cli_error("--link-latency, --link-gbps and --link-fault need --system");
    else if (tf_job_is_relaxed(&request->job) && links)
        tf_cli_error("--link-latency, --link-gbps and --link-fault cannot be combined with --relaxed, where links take "
                     "no time");
    else if (ordered != NULL)
        tf_cli_error("%s cannot be combined with --relaxed, which has no epochs", ordered);
    else if (request->system == NULL && (request->job.save_every.cycle != 0 || request->ranks_by != TF_RANKS_BY_ANY))
        tf_cli_error("--save-every and --ranks-by need --system");
    else
        return true;
    return false;
}

/* Refuse options that concern a file that is not asked for. */
static bool check_looks(const struct tf_request *request)
{
    bool right = request->job.look.timeline_to == 0 || request->out[TF_OUT_TIMELINE] != NULL;
    if (!right)
        tf_cli_error("--timeline-cycles needs --timeline");
    else if (request->out[TF_OUT_CRITICAL] != NULL && !tf_job_is_timed(&request->job)) {
        tf_cli_error("--critical-path needs --timing: a usual run has no durations");
        return false;
    } else if (request->out[TF_OUT_CRITICAL] != NULL && tf_job_is_timed_coarsely(&request->job)) {
        tf_cli_error("--critical-path and --timing=coarse exclude each other: cores see stores late");
        return false;
    }
    return right;
}

bool tf_request_agrees(const struct tf_request *request)
{
    return check_saved(request) && check_check(request) && check_debugger(request) && check_looks(request) &&
           check_system(request);
}
