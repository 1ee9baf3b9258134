/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/output/junit.h"
#include "cli/output/report.h"
#include "cli/job.h"
#include "cli/races.h"
#include "cli/session_state.h"
#include "cli/text.h"
#include "cli/verdict.h"

/* Print text for an attribute or between tags. XML has no control characters, and texts may be of any encoding. */
static void print_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"')
            fputs("&quot;", out);
        else if (byte == '&' || byte == '<' || byte == '>')
            tf_cli_print_xml(out, (const char[]){*text, '\0'});
        else
            fputc(byte < ' ' || byte > '~' ? '?' : byte, out);
    }
}

void tf_junit_line(void *user, const char *line)
{
    FILE *out = user;
    print_text(out, line);
    fputc('\n', out);
}

void tf_junit_session(FILE *out, const struct tf_session *session)
{
    tf_faults_say(session, tf_junit_line, out);
    tf_waits_say(session, tf_junit_line, out);
    tf_races_say(session, tf_junit_line, out);
}

static void print_details(FILE *out, const void *failed)
{
    tf_junit_session(out, failed);
}

void tf_junit_print(FILE *out, const struct tf_junit *test)
{
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
            "<testsuite name=\"tilefarm %s\" tests=\"1\" failures=\"%u\" errors=\"0\" skipped=\"0\" time=\"%.3f\">\n"
            "<testcase classname=\"tilefarm.%s\" name=\"",
            test->command, test->failure != NULL, test->wall_s, test->command);
    print_text(out, test->name);
    if (test->more != NULL) {
        fputc(' ', out);
        print_text(out, test->more);
    }
    fprintf(out, "\" time=\"%.3f\">", test->wall_s);
    if (test->failure != NULL) {
        fprintf(out, "<failure type=\"%s\" message=\"", test->failure);
        print_text(out, test->message);
        fputs("\">", out);
        if (test->details != NULL)
            test->details(out, test->failed);
        fputs("</failure>", out);
    }
    fputs("</testcase>\n</testsuite>\n</testsuites>\n", out);
}

void tf_report_junit(FILE *out, const struct tf_session *session)
{
    const struct tf_outcome *outcome = &session->outcome;
    const char *verdict = tf_verdict_text(outcome), *more = tf_job_variant(session->job);
    if (more == NULL && session->job->loads != 0) /* a service that shows several runs tells them apart */
        more = basename(session->job->load[0].path);
    tf_junit_print(out,
                   &(struct tf_junit){.command = "run",
                                      .name = tf_job_name(session->job),
                                      .more = more,
                                      .failure = tf_outcome_exit(outcome) == TF_EXIT_OK ? NULL : verdict,
                                      .message = outcome->message.text[0] != '\0' ? outcome->message.text : verdict,
                                      .details = print_details,
                                      .failed = session,
                                      .wall_s = outcome->stats.wall_s});
}
