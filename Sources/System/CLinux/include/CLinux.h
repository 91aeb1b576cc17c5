// Linux calls that Swift's Glibc module lacks.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>

/// Opens an unnamed file in `folder` for reading and writing (O_TMPFILE). -1 and errno on failure.
int wr_open_unnamed(const char *folder, unsigned mode);

/// Opens an empty file in memory, for reading and writing (memfd_create). -1 and errno on failure.
int wr_memory_file(void);

/// Renames, but fails with EEXIST if `new` exists; see renameat2(2). -1 and errno on failure.
int wr_rename_new(const char *old, const char *new);

/// Exchanges two paths atomically. -1 and errno on failure: not all file systems support it.
int wr_rename_exchange(const char *a, const char *b);

/// Writes all of a file system to the disk: the one of an open file; see syncfs(2). -1 and errno on failure.
int wr_flush_file_system(int descriptor);

/// Number of cores available to this process.
int wr_available_cores(void);

/// Returns freed memory to the kernel (malloc_trim).
void wr_release_freed_memory(void);

/// Lets the threads of this process share two heaps, as a service does whose memory has to stay flat: glibc gives each thread one of its
/// own otherwise, and what one has freed is of no use to another. MALLOC_ARENA_MAX and GLIBC_TUNABLES count more.
void wr_share_heaps(void);

/// Raises the number of files that this process may have open as far as it may itself, and returns it.
long wr_raise_open_files(void);

/// Thread ID of the calling thread.
int wr_thread_number(void);

/// Sets the name of the calling thread, at most 15 bytes.
void wr_set_thread_name(const char *name);
void wr_get_thread_name(char name[16]);

/// Delivers SIGINT, SIGTERM and SIGHUP (unless ignored at process start) as one byte each to the returned descriptor
/// instead of ending the process. -1 and errno on failure. Call it once.
int wr_signal_pipe(void);

/// Delivers SIGHUP as one byte to the returned descriptor, and makes SIGUSR1 and SIGUSR2 do nothing, instead of ending
/// the process. -1 and errno on failure. Call it once.
int wr_reload_pipe(void);

/// Makes this process a worker: a crash ends it at once, without a runtime backtrace or core dump. -1 and errno on
/// failure.
int wr_begin_work(void);

/// The first place of `part` in `bytes`, in linear time; NULL if there is none.
const void *wr_find(const void *bytes, size_t count, const void *part, size_t part_count);

/// Limits the private memory of this process in bytes. -1 and errno on failure.
int wr_limit_memory(unsigned long bytes);

/// Bytes written by this process so far, except to sockets; -1 if unavailable.
long long wr_written_bytes(void);

/// A child process and this process's ends of its channels.
struct wr_child {
    int process;
    /// A socket to the child's descriptor 3.
    int channel;
    /// Its standard error, non-blocking.
    int errors;
};

/// Starts `arguments[0]` with the NULL-terminated `arguments` as leader of a process group, with default signal
/// handling. It inherits no descriptors except, if requested, 0 and 1, which are otherwise /dev/null. Returns 0 or an
/// errno value.
int wr_start_child(char *const *arguments, int shares_input, int shares_output, struct wr_child *child);

/// A program to measure.
struct wr_program {
    /// Path for execve(2), relative to `folder`.
    const char *path;
    /// NULL-terminated arguments, starting with its name.
    char *const *arguments;
    /// Its working directory; -1 for the one of this process.
    int folder;
    /// Its descriptors 0, 1 and 2, each above 2; -1 to inherit.
    int streams[3];
    /// The open cgroup.procs of its control group; -1 for none.
    int group;
    /// Whether it stays in this process group, as required for reading from a terminal.
    int stays;
};

struct wr_started {
    int process;
    /// A second child, which ends by itself and must be reaped later; 0 for none.
    int copy;
    /// Time of exec in seconds of CLOCK_MONOTONIC.
    double seconds;
    /// 0, or the errno value that explains why it is not in `group`.
    int group_error;
};

/// Starts a program with default signal handling, as leader of a process group unless it stays in this one.
///
/// A process started by vfork or posix_spawn starts with its parent's memory, which the kernel includes in its peak.
/// Here that share is small for any size of this process: the program is started from a copy that has released its
/// memory. Returns 0 or an errno value.
int wr_start_program(const struct wr_program *program, struct wr_started *started);

/// A descriptor that becomes readable when a child process ends. -1 and errno on failure.
int wr_watch_process(int process);

/// A close-on-exec pipe. -1 and errno on failure.
int wr_pipe(int ends[2]);

#endif
