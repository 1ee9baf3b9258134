/* SPDX-License-Identifier: Apache-2.0 */
/* One run of one chip from the command line. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "cli/cli.h"
#include "cli/job.h"
#include "cli/session_state.h"
#include "debug/gdb/gdb.h"
#include "debug/printed.h"
#include "debug/symbols.h"
#include "look/look.h"

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

/* Let a chip whose callbacks get its session, as `user`, play a recording. */
void tf_session_configure_replay(const struct tf_replay *replay, struct tf_config *config);

/* Millions of instructions executed a second. */
double tf_outcome_mips(const struct tf_outcome *outcome);

#endif
