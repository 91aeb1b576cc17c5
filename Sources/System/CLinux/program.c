#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

int wr_watch_process(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int wr_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

/// State shared by both processes, in memory that stays shared after the copy.
struct start {
    struct wr_program program;
    struct timespec time;
    /// 0 while the copy is the program itself.
    int process;
    /// Its other end is closed when no process holds it.
    int pipe;
    int has_begun;
    int code;
    int group_error;
    char **arguments;
    char **variables;
    size_t size;
    char maps[4096];
};

static size_t count_of(char *const *texts) {
    size_t count = 0;
    while (texts[count]) count++;
    return count;
}

static size_t room_for(char *const *texts) {
    size_t room = sizeof *texts;
    for (; *texts; texts++) room += sizeof *texts + strlen(*texts) + 1;
    return room;
}

static char *copy_texts(char *const *texts, char **pointers, char *text) {
    for (; *texts; texts++) {
        size_t length = strlen(*texts) + 1;
        *pointers++ = memcpy(text, *texts, length);
        text += length;
    }
    *pointers = 0;
    return text;
}

static struct start *prepare(const struct wr_program *program) {
    size_t path = strlen(program->path) + 1;
    size_t size = sizeof(struct start) + room_for(program->arguments) + room_for(environ) + path;
    struct start *start = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) return 0;
    start->program = *program;
    start->size = size;
    start->arguments = (char **)(start + 1);
    start->variables = start->arguments + count_of(program->arguments) + 1;
    char *text = (char *)(start->variables + count_of(environ) + 1);
    text = copy_texts(program->arguments, start->arguments, text);
    text = copy_texts(environ, start->variables, text);
    start->program.path = memcpy(text, program->path, path);
    return start;
}

// From here to the end of `run`, only `syscall` and `errno` are used, both of which are resolved before the second
// copy: memory that the dynamic linker and the C library need for more may be missing in the copy, and so may the state
// of sanitizers and profilers.
#if defined(__clang__)
#define PLAIN __attribute__((no_sanitize("address", "thread", "memory", "undefined"), noinline))
#else
#define PLAIN __attribute__((noinline))
#endif

/// Reads hexadecimal digits at `*at` and skips them and the following character.
PLAIN static uintptr_t take_number(const char **at) {
    uintptr_t number = 0;
    for (;; (*at)++) {
        char digit = **at;
        if (digit >= '0' && digit <= '9') number = number << 4 | (uintptr_t)(digit - '0');
        else if (digit >= 'a' && digit <= 'f') number = number << 4 | (uintptr_t)(digit - 'a' + 10);
        else break;
    }
    (*at)++;
    return number;
}

/// Excludes a memory region, a line of /proc/self/maps, from further copies if it is private and anonymous.
PLAIN static void exclude_region(const char *line) {
    uintptr_t from = take_number(&line), to = take_number(&line);
    int is_private = line[1] == 'w' && line[3] == 'p';
    line += 5;
    for (int i = 0; i < 3; i++) take_number(&line);
    if (is_private && !take_number(&line)) syscall(SYS_madvise, from, to - from, MADV_DONTFORK);
}

/// Excludes this process's memory from further copies, except library data and the surroundings of `kept`.
PLAIN static void exclude_memory(struct start *start, const uintptr_t *kept, unsigned count) {
    enum { around = 1 << 16 };
    int maps = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0);
    if (maps < 0) return;
    size_t held = 0;
    for (;;) {
        long got = syscall(SYS_read, maps, start->maps + held, sizeof start->maps - held);
        if (got <= 0) break;
        held += (size_t)got;
        size_t begin = 0;
        for (size_t i = 0; i < held; i++)
            if (start->maps[i] == '\n') {
                exclude_region(start->maps + begin);
                begin = i + 1;
            }
        // Only paths can make a line longer than the buffer.
        if (!begin) break;
        held -= begin;
        for (size_t i = 0; i < held; i++) ((volatile char *)start->maps)[i] = start->maps[begin + i];
    }
    syscall(SYS_close, maps);
    // One region may contain both the kept memory and large allocations. Unmapped parts are skipped.
    for (unsigned i = 0; i < count; i++)
        syscall(SYS_madvise, (kept[i] & ~(uintptr_t)(around - 1)) - around, 3 * around, MADV_DOFORK);
}

/// Executes the program. Returns an errno value.
PLAIN static int exec_program(struct start *start) {
    // The kernel's struct sigaction, in which zero is the default.
    static const unsigned long standard[8];
    static const unsigned long none[1];
    const struct wr_program *program = &start->program;
    if (!program->stays && syscall(SYS_setpgid, 0, 0)) return errno;
    if (program->group >= 0 && syscall(SYS_write, program->group, "0", 1) < 0) start->group_error = errno;
    if (program->folder >= 0 && syscall(SYS_fchdir, program->folder)) return errno;
    for (int i = 0; i < 3; i++)
        if (program->streams[i] >= 0 && syscall(SYS_dup3, program->streams[i], i, 0) < 0) return errno;
    for (int number = 1; number <= 64; number++) syscall(SYS_rt_sigaction, number, standard, 0, 8);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, none, 0, 8);
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &start->time);
    start->has_begun = 1;
    syscall(SYS_execve, program->path, start->arguments, start->variables);
    return errno;
}

PLAIN static void run(struct start *start) {
    uintptr_t kept[] = {(uintptr_t)&start, (uintptr_t)__builtin_frame_address(0), (uintptr_t)&errno};
    exclude_memory(start, kept, sizeof kept / sizeof *kept);
    // Its parent is the measuring process.
    long process = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
    if (process > 0) {
        start->process = (int)process;
        // Exits immediately: teardown of a large process takes time.
        syscall(SYS_close, start->pipe);
        syscall(SYS_exit_group, 0);
    }
    // Runs here also if the second copy fails.
    start->code = exec_program(start);
    syscall(SYS_exit_group, 127);
}

static void wait_for(pid_t process) {
    while (waitpid(process, 0, 0) < 0 && errno == EINTR) continue;
}

int wr_start_program(const struct wr_program *program, struct wr_started *started) {
    int pipes[2], code = 0;
    char byte;
    sigset_t all, before;
    struct start *start = prepare(program);
    if (!start) return errno;
    if (pipe2(pipes, O_CLOEXEC)) {
        code = errno;
        munmap(start, start->size);
        return code;
    }
    start->pipe = pipes[1];
    // Signal handlers of this process must not run in the copy.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t copy = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (!copy) run(start);
    code = copy < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, 0);
    close(pipes[1]);
    if (!code) {
        // The read ends when the program runs, or when no process is left that could start it.
        while (read(pipes[0], &byte, 1) < 0 && errno == EINTR) continue;
        started->process = start->process ? start->process : copy;
        started->seconds = (double)start->time.tv_sec + (double)start->time.tv_nsec / 1e9;
        started->group_error = start->group_error;
        started->copy = start->process ? copy : 0;
        code = start->has_begun || start->code ? start->code : EAGAIN;
        if (code) {
            wait_for(started->process);
            if (started->copy) wait_for(started->copy);
        }
    }
    close(pipes[0]);
    munmap(start, start->size);
    return code;
}
