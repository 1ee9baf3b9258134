/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of `tilefarm replay`. */
#ifndef CLI_COMMANDS_REPLAY_H
#define CLI_COMMANDS_REPLAY_H

struct tf_request;

/* Read it, as tf_request_read() does: the options of `run`, without those that the recording decides. */
int tf_replay_read(int argc, char **argv, struct tf_request *request);

#endif
