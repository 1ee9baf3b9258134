/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/file.h"

int fuzz_complaints = 2;

/* libFuzzer reports on standard error, too: its option -close_fd_mask=3 silences the target. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t bytes))
    __attribute__((weak));

void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

void fuzz_silence(void)
{
    static int silent = 0;
    if (silent++ != 0 || getenv("TF_FUZZ_LOUD") != NULL || LLVMFuzzerRunDriver != NULL)
        return;
    fuzz_complaints = fcntl(2, F_DUPFD_CLOEXEC, 10);
    if (fuzz_complaints < 0 || freopen("/dev/null", "w", stderr) == NULL || freopen("/dev/null", "w", stdout) == NULL)
        abort();
    if (__sanitizer_set_report_fd != NULL)
        __sanitizer_set_report_fd((void *)(intptr_t)fuzz_complaints);
}

const char *fuzz_file(const void *data, size_t bytes)
{
    static char path[40];
    static int fd = -1;
    if (fd < 0)
        fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0 || !tf_write_all(fd, data, bytes))
        return NULL;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}
