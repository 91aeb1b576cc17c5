#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <sched.h>

int wr_open_unnamed(const char *folder, unsigned mode) {
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
}

int wr_available_cores(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}
