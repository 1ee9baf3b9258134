/* SPDX-License-Identifier: Apache-2.0 */
/* The process that takes the samples of one side of a row. It reads numbers of rounds, and writes a sample for each. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/bench/bench.h"
#include "cli/bench/child.h"
#include "cli/bench/engine.h"
#include "cli/process.h"
#include "host/file.h"

#define END 0u /* sent instead of a number of rounds */

static void serve(const struct bench_row *row, const struct bench_side *side, int from, int to)
{
    struct bench_engine engine;
    uint32_t rounds;
    bool right = bench_engine_init(&engine, side);
    double began = tf_seconds();
    right = right && engine.ops->open(&engine);
    engine.open_s = tf_seconds() - began;
    while (tf_read_all(from, &rounds, sizeof rounds) && rounds != END) {
        struct bench_sample sample = {.right = false};
        if (right)
            row->measure(row, &engine, rounds, &sample);
        else
            memcpy(sample.why, engine.why, sizeof sample.why);
        if (!tf_write_all(to, &sample, sizeof sample))
            return;
    }
    if (right && !engine.closed)
        engine.ops->close(&engine);
}

/* The child's output goes to a file. If the child dies, the last line of that file says why. */
static void catch_output(int output)
{
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
}

static void start(struct bench_child *child)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    FILE *output = tmpfile();
    child->pid = -1;
    if (output != NULL && pipe(to) == 0 && pipe(from) == 0) {
        child->output = dup(fileno(output));
        fflush(NULL);
        child->pid = tf_process_begin(getpid());
    }
    if (output != NULL)
        fclose(output);
    if (child->pid == 0) {
        close(to[1]);
        close(from[0]);
        catch_output(child->output);
        serve(child->row, child->side, to[0], from[1]);
        fflush(NULL);
        _exit(0);
    }
    close(to[0]);
    close(from[1]);
    child->to = to[1];
    child->from = from[0];
}

static void last_line(int output, char *text, size_t bytes)
{
    char tail[2048];
    off_t end = lseek(output, 0, SEEK_END), begin = end < (off_t)sizeof tail ? 0 : end - (off_t)sizeof tail + 1;
    ssize_t length = pread(output, tail, sizeof tail - 1, begin);
    text[0] = '\0';
    if (length <= 0)
        return;
    while (length > 0 && (tail[length - 1] == '\n' || tail[length - 1] == '\r'))
        length--;
    tail[length] = '\0';
    char *line = strrchr(tail, '\n');
    snprintf(text, bytes, "%.190s", line != NULL ? line + 1 : tail);
}

static void bury(struct bench_child *child, int *status)
{
    uint32_t end = END; /* a closed pipe would not end the child: later children hold it, too */
    tf_write_all(child->to, &end, sizeof end);
    close(child->to);
    close(child->from);
    while (waitpid(child->pid, status, 0) < 0 && errno == EINTR)
        continue;
    child->pid = 0;
}

/* Report that the child ended without a sample. */
static void explain(struct bench_child *child)
{
    char line[BENCH_WHY_BYTES] = "";
    int status = 0;
    bury(child, &status);
    last_line(child->output, line, sizeof line);
    close(child->output);
    if (line[0] != '\0')
        snprintf(child->last.why, sizeof child->last.why, "%s", line);
    else if (WIFSIGNALED(status))
        snprintf(child->last.why, sizeof child->last.why, "ended by signal %d", WTERMSIG(status));
    else
        snprintf(child->last.why, sizeof child->last.why, "ended with status %d", WEXITSTATUS(status));
    child->last.right = false;
}

bool bench_child_sample(struct bench_child *child)
{
    if (child->pid == 0)
        start(child);
    if (child->pid < 0) {
        snprintf(child->last.why, sizeof child->last.why, "the host refuses a process: %s", strerror(errno));
        child->last.right = false;
        child->pid = 0;
        return false;
    }
    struct bench_sample sample;
    if (!tf_write_all(child->to, &child->rounds, sizeof child->rounds) ||
        !tf_read_all(child->from, &sample, sizeof sample)) {
        explain(child);
        return false;
    }
    child->last = sample;
    if (!sample.right || (child->row->flags & BENCH_FRESH))
        bench_child_end(child);
    return sample.right;
}

void bench_child_end(struct bench_child *child)
{
    int status;
    if (child->pid == 0)
        return;
    bury(child, &status);
    close(child->output);
}
