#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int wr_open_unnamed(const char *folder, unsigned mode) {
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int wr_rename_new(const char *old, const char *new) {
    return renameat2(AT_FDCWD, old, AT_FDCWD, new, RENAME_NOREPLACE);
}

int wr_rename_exchange(const char *a, const char *b) { return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE); }

int wr_available_cores(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

static int signal_pipe[2];

static void forward(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    // A full pipe holds more signals than anybody reads.
    ssize_t written = write(signal_pipe[1], &byte, 1);
    (void)written;
    errno = saved;
}

int wr_signal_pipe(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    if (pipe2(signal_pipe, O_CLOEXEC)) return -1;
    fcntl(signal_pipe[1], F_SETFL, O_NONBLOCK);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction action;
        if (sigaction(numbers[i], 0, &action)) return -1;
        if (action.sa_handler == SIG_IGN) continue;
        action = (struct sigaction){.sa_handler = forward, .sa_flags = SA_RESTART};
        if (sigaction(numbers[i], &action, 0)) return -1;
    }
    return signal_pipe[0];
}
