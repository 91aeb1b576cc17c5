#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

int wr_open_unnamed(const char *folder, unsigned mode) {
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int wr_memory_file(void) { return memfd_create("wayreel", MFD_CLOEXEC); }

int wr_rename_new(const char *old, const char *new) {
    return renameat2(AT_FDCWD, old, AT_FDCWD, new, RENAME_NOREPLACE);
}

int wr_rename_exchange(const char *a, const char *b) { return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE); }

int wr_flush_file_system(int descriptor) { return syncfs(descriptor); }

int wr_available_cores(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

void wr_release_freed_memory(void) { malloc_trim(0); }

void wr_share_heaps(void) {
    if (getenv("MALLOC_ARENA_MAX") || getenv("GLIBC_TUNABLES")) return;
    mallopt(M_ARENA_MAX, 2);
}

long wr_raise_open_files(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) return 1024;
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit)) limit.rlim_cur = before;
    return limit.rlim_cur > 1 << 20 ? 1 << 20 : (long)limit.rlim_cur;
}

static int signal_pipe[2];

static void forward(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    // A full pipe already holds more signals than needed.
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

static int reload_pipe[2];

static void forward_reload(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    // A full pipe already holds more signals than needed.
    ssize_t written = write(reload_pipe[1], &byte, 1);
    (void)written;
    errno = saved;
}

static void do_nothing(int number) { (void)number; }

int wr_reload_pipe(void) {
    // Handlers, unlike SIG_IGN, do not stay with the programs that are started.
    struct sigaction reload = {.sa_handler = forward_reload, .sa_flags = SA_RESTART};
    struct sigaction nothing = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
    if (pipe2(reload_pipe, O_CLOEXEC)) return -1;
    fcntl(reload_pipe[1], F_SETFL, O_NONBLOCK);
    if (sigaction(SIGHUP, &reload, 0) || sigaction(SIGUSR1, &nothing, 0) || sigaction(SIGUSR2, &nothing, 0)) return -1;
    return reload_pipe[0];
}

int wr_begin_work(void) {
    static const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP};
    struct rlimit none = {0, 0};
    for (unsigned i = 0; i < sizeof crashes / sizeof *crashes; i++) signal(crashes[i], SIG_DFL);
    return setrlimit(RLIMIT_CORE, &none);
}

const void *wr_find(const void *bytes, size_t count, const void *part, size_t part_count) {
    return memmem(bytes, count, part, part_count);
}

int wr_limit_memory(unsigned long bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit)) return -1;
    // The next request may have another limit, so the hard one stays.
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || bytes < limit.rlim_max ? bytes : limit.rlim_max;
    return setrlimit(RLIMIT_DATA, &limit);
}

long long wr_written_bytes(void) {
    char text[512];
    int file = open("/proc/self/io", O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count < 0) return -1;
    text[count] = 0;
    const char *line = strstr(text, "wchar: ");
    return line ? strtoll(line + 7, NULL, 10) : -1;
}

enum { child_channel = 3 };

static int start(char *const *arguments, int shares_input, int shares_output, int channel, int errors, pid_t *process) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return code;
    code = posix_spawnattr_init(&attributes);
    if (!code) {
        sigfillset(&all);
        sigemptyset(&none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setsigmask(&attributes, &none);
        // Process group 0 creates a new one, which a terminal's Ctrl-C does not reach.
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
        if (!shares_input) code = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        if (!shares_output && !code) code = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
        if (!code) code = posix_spawn_file_actions_adddup2(&actions, errors, 2);
        if (!code) code = posix_spawn_file_actions_adddup2(&actions, channel, child_channel);
        if (!code) code = posix_spawn_file_actions_addclosefrom_np(&actions, child_channel + 1);
        if (!code) code = posix_spawn(process, arguments[0], &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/// A descriptor above those to be replaced in the child, so that none is overwritten too early.
static int lift(int descriptor) {
    int lifted = fcntl(descriptor, F_DUPFD_CLOEXEC, child_channel + 1);
    int saved = errno;
    close(descriptor);
    errno = saved;
    return lifted;
}

int wr_start_child(char *const *arguments, int shares_input, int shares_output, struct wr_child *child) {
    int sockets[2], pipes[2], code;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets)) return errno;
    if (pipe2(pipes, O_CLOEXEC)) {
        code = errno;
        close(sockets[0]);
        close(sockets[1]);
        return code;
    }
    fcntl(pipes[0], F_SETFL, O_NONBLOCK);
    sockets[1] = lift(sockets[1]);
    code = sockets[1] < 0 ? errno : 0;
    pipes[1] = lift(pipes[1]);
    if (!code && pipes[1] < 0) code = errno;
    if (!code) code = start(arguments, shares_input, shares_output, sockets[1], pipes[1], &child->process);
    if (sockets[1] >= 0) close(sockets[1]);
    if (pipes[1] >= 0) close(pipes[1]);
    if (code) {
        close(sockets[0]);
        close(pipes[0]);
    } else {
        child->channel = sockets[0];
        child->errors = pipes[0];
    }
    return code;
}

int wr_thread_number(void) { return gettid(); }

void wr_set_thread_name(const char *name) { prctl(PR_SET_NAME, name); }

void wr_get_thread_name(char name[16]) {
    if (prctl(PR_GET_NAME, name) != 0) name[0] = 0;
}
