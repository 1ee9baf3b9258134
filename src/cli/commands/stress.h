/* SPDX-License-Identifier: Apache-2.0 */
/* tilefarm stress: atomics under contention. */
#ifndef CLI_COMMANDS_STRESS_H
#define CLI_COMMANDS_STRESS_H

int tf_cli_stress(int argc, char **argv);

#endif
