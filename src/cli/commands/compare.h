/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `tilefarm compare`: run one program on several libraries with the libttsim interface, and print the first word in
 * which their memories differ. With one library: check a workload, and print the hash of its results, for recording.
 */
#ifndef CLI_COMMANDS_COMPARE_H
#define CLI_COMMANDS_COMPARE_H

int tf_cli_compare(int argc, char **argv);

#endif
