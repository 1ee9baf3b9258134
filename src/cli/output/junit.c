/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/output/junit.h"
#include "cli/text.h"
#include "tile/node_text.h"

#define FAULTS_SHOWN 10u
#define WAITS_SHOWN 20u

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

static void print_faults(FILE *out, const struct tf_session *session)
{
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    struct tf_fault fault;
    unsigned shown = 0;
    for (size_t i = 0; tf_fault_get(session->chip, i, &fault) == TF_OK && shown < FAULTS_SHOWN; i++) {
        char node[TF_NODE_TEXT_BYTES], line[sizeof fault.text + TF_PLACE_BYTES + 160], place[TF_PLACE_BYTES] = "";
        int tile = fault.core == TF_CORE_NONE ? -1 : tf_symbols_tile(arch, fault.tile);
        if (fault.hazard)
            continue;
        if (tile >= 0)
            tf_symbols_place(session->symbols, (unsigned)tile, fault.core, fault.pc, place, sizeof place);
        snprintf(line, sizeof line, "fault: %s%s%s, cycle %llu, pc 0x%x %s: %s: %s",
                 tf_node_text(arch, fault.tile, node), fault.core == TF_CORE_NONE ? "" : " core ",
                 fault.core == TF_CORE_NONE ? "" : tf_core_name(arch, tf_node_kind(arch, fault.tile), fault.core),
                 (unsigned long long)fault.cycle, fault.pc, place, tf_fault_category_name(fault.category), fault.text);
        tf_junit_line(out, line);
        if (tile >= 0)
            tf_stack_print(session->chip, session->symbols, (unsigned)tile, fault.core, tf_junit_line, out);
        shown++;
    }
}

static void print_waits(FILE *out, const struct tf_session *session)
{
    const struct tf_outcome *outcome = &session->outcome;
    for (size_t i = 0; i < outcome->waits_count && i < WAITS_SHOWN; i++) {
        char text[TF_WAITING_TEXT_BYTES], line[sizeof text + 8];
        tf_waiting_text(tf_chip_arch(session->chip), &outcome->waits[i], NULL, text, sizeof text);
        snprintf(line, sizeof line, "%s: %s", outcome->waits[i].stuck ? "waits" : "done", text);
        tf_junit_line(out, line);
    }
}

void tf_junit_session(FILE *out, const struct tf_session *session)
{
    const struct tf_outcome *outcome = &session->outcome;
    print_faults(out, session);
    print_waits(out, session);
    if (outcome->verdict == TF_VERDICT_LIMIT || outcome->interrupted)
        tf_stacks_print(session->chip, session->symbols, true, tf_junit_line, out);
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
