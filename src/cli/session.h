/* SPDX-License-Identifier: Apache-2.0 */
/* One run of one chip from the command line: the run of a job, the outcome, and the reports. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "cli/cli.h"
#include "cli/job.h"
#include "debug/gdb/console.h"
#include "debug/gdb/gdb.h"
#include "debug/printed.h"
#include "debug/symbols.h"
#include "look/look.h"

enum tf_verdict {
    TF_VERDICT_NONE, /* nothing was checked */
    TF_VERDICT_RIGHT,
    TF_VERDICT_WRONG,    /* the outcome's message says what is wrong */
    TF_VERDICT_DEADLOCK, /* the run ended quiet, and cores wait for ever */
    TF_VERDICT_LIMIT,    /* --limit-cycles or --limit-seconds came first */
};

struct tf_outcome {
    enum tf_end end;
    enum tf_verdict verdict;
    bool interrupted;
    bool cut;                  /* a file could not be written: the run was stopped for it */
    struct tf_message message; /* "" when nothing is wrong */
    struct tf_stats stats;
    uint64_t state_hash;
    size_t races;             /* that --check has found, less the suppressed ones */
    struct tf_waiting *waits; /* of a run that is not known to be right */
    size_t waits_count;
};

/* The progress line, which a terminal shows during long runs. */
struct tf_progress {
    const char *name;
    double began_s;
    bool terminal, shown;
};

/* A chip with a job. The structure must not move between begin and end. */
struct tf_session {
    const struct tf_job *job;
    struct tf_interrupt *interrupt;
    struct tf_chip *chip;
    void *state;                     /* of the workload */
    struct tf_symbols *symbols;      /* of the loaded programs; NULL: no memory */
    struct tf_gdb *gdb;              /* NULL: no debugger */
    struct tf_console console;       /* of --monitor */
    struct tf_printed *printed;      /* NULL: texts of programs are dropped */
    void *run;                       /* of all chips of a system */
    struct tf_system_traces *traces; /* over ranks, for callbacks of its traces; else NULL */
    struct tf_look *look;            /* NULL: nothing is looked at */
    struct tf_progress progress;
    unsigned saved;   /* files of --save-at that are written */
    bool save_failed; /* after an error line */
    struct tf_outcome outcome;
};

/* Create the chip and load the job. Returns -1, or an exit code after an error line; do not call end() then. */
int tf_session_begin(struct tf_session *session, const struct tf_job *job, struct tf_interrupt *interrupt);

/* Parts of both, for commands that make the chip themselves: load the job, which starts it; make the symbols of its
   programs; find those of --symbols in memory, as it is now; count the faults that are no hazards. The first one
   returns -1, or an exit code after an error line. */
int tf_session_prepare(const struct tf_job *job, struct tf_chip *chip, void **state);
void tf_session_add_symbols(struct tf_session *session);
void tf_session_find_named(struct tf_session *session);
uint64_t tf_session_faults(struct tf_chip *chip);

/* Make the stub of the job's debugger, if it has one: listen for GDB, or read commands. Returns -1, or an exit code
   after an error line. session: of the first chip, whose chip does not exist yet. */
int tf_session_open_gdb(struct tf_session *session, struct tf_config *config);

/* Attach the stub of the first session to the chips of all. */
void tf_session_attach_gdb(struct tf_session *session, unsigned chips);

/* What a debugger drives. run: until an end, for *ran cycles. */
struct tf_debugged {
    int (*run)(void *user, const struct tf_run_options *options, enum tf_end *end, uint64_t *ran);
    void *user;
};

/* Run under a debugger, until it detaches. Returns an enum tf_error. */
int tf_session_debug(const struct tf_session *session, const struct tf_debugged *debugged, enum tf_end *end);

/* For on_print of a configuration whose user is the session: print the text, or mark the moment. */
void tf_session_see_print(void *user, const struct tf_print_event *event);

/* Create the observers that job->look asks for, as callbacks of a configuration whose user is the session. Attach them
   with tf_look_attach(). Returns -1, or an exit code after an error line. */
int tf_session_open_look(struct tf_session *session, struct tf_config *config);

/* Run, check the results and fill the outcome. Returns -1, or an exit code after an error line. */
int tf_session_run(struct tf_session *session);

/* After the run: write the files of job->look, of a chip or of all chips of a system. system: for a report of several
   chips; else NULL. Returns false after an error line. */
bool tf_session_write_looks(struct tf_session *session, unsigned chips, const struct tf_page_system *system);

void tf_session_end(struct tf_session *session);

/* Print the faults of a run and, if it went wrong, who waits. */
void tf_report_problems(const struct tf_session *session);

/* Print the line about the calls of a recording. NULL: there is none. */
void tf_report_replay(const struct tf_replay *replay);

/* --- save.c --- */

/* Are the files of --save-at in folders that can be written to? Returns false after an error line. */
bool tf_saves_check(const struct tf_job *job);

/* Let a chip whose callbacks get its session, as `user`, play a recording. */
void tf_session_configure_replay(const struct tf_replay *replay, struct tf_config *config);

/* Give the chip of a session the state of --restore. Returns -1, or an exit code after an error line. */
int tf_session_restore(struct tf_session *session);

/* tf_run() with the options of the job, and save where it is asked for. Returns an enum tf_error. */
int tf_session_run_saving(struct tf_session *session, enum tf_end *end);

/* --- verdict.c --- */

/* How a run ended, in words. */
const char *tf_end_text(enum tf_end end);

/* Judge a run that has ended: the results of a workload, the word of --until, the statuses of main(), and who waits.
   Returns -1, or an exit code after an error line. */
int tf_verdict_find(struct tf_session *session);

/* The verdict in a word: "verified", "deadlock". */
const char *tf_verdict_text(const struct tf_outcome *outcome);

/* The exit code of a finished run: an enum tf_exit. */
int tf_outcome_exit(const struct tf_outcome *outcome);

/* Millions of instructions executed a second. */
double tf_outcome_mips(const struct tf_outcome *outcome);

/* --- report.c, json.c --- */

/* The report for people. Faults, waits and wrong results go to standard error. The figures go to standard output,
   unless `brief`. */
void tf_report(const struct tf_session *session, bool brief);

/* Print a line of a stack or of a race on standard error. user: not used. */
void tf_report_line(void *user, const char *line);

/* races.c: the races of a checked run, less the suppressed ones; the caller frees them. Returns NULL if the host has no
   memory. */
struct tf_race *tf_session_races(const struct tf_session *session, size_t *count);

/* The last writer of a word that a core polls in L1, as a run with --check knows it. Returns false if it is not
   known. */
bool tf_session_last_write(const struct tf_session *session, const struct tf_waiting *wait, char *text, size_t bytes);

/* Their number; 0 without --check. */
size_t tf_session_count_races(const struct tf_session *session);

/* Say them line by line. */
void tf_races_say(const struct tf_session *session, void (*say)(void *user, const char *line), void *user);

/* report.c: say faults with their stacks; say who waits in a run that has ended badly, or where its cores are. */
void tf_faults_say(const struct tf_session *session, void (*say)(void *user, const char *line), void *user);
void tf_waits_say(const struct tf_session *session, void (*say)(void *user, const char *line), void *user);

/* The report for programs: one JSON object. Returns false after an error line: too little memory, or a full disk. */
bool tf_report_json(FILE *out, const struct tf_session *session);

#endif
