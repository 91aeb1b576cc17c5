// The few calls of Linux that Swift's Glibc module leaves out.
#ifndef CLINUX_H
#define CLINUX_H

/// Opens a file without a name in `folder` for reading and writing (O_TMPFILE). -1 and errno on failure.
int wr_open_unnamed(const char *folder, unsigned mode);

/// Opens an empty file in memory, for reading and writing (memfd_create). -1 and errno on failure.
int wr_memory_file(void);

/// Renames, but fails with EEXIST where something stands at `new`; see renameat2(2). -1 and errno on failure.
int wr_rename_new(const char *old, const char *new);

/// Exchanges what stands at two paths, at once. -1 and errno on failure: not every file system can.
int wr_rename_exchange(const char *a, const char *b);

/// The number of cores that this process may run on.
int wr_available_cores(void);

/// The number by which the kernel and /proc know the calling thread.
int wr_thread_number(void);

/// What the calling thread is called: 15 bytes at most.
void wr_set_thread_name(const char *name);
void wr_get_thread_name(char name[16]);

/// From now on SIGINT, SIGTERM and SIGHUP do not end the process (those that it was started to ignore aside) but are read, one
/// byte for each, from the descriptor returned. -1 and errno on failure. To be called once.
int wr_signal_pipe(void);

/// Makes this process one that works for another: a crash ends it at once, without what a runtime would print about it and
/// without a core dump. -1 and errno on failure.
int wr_begin_work(void);

/// Limits the private memory of this process to so many bytes. -1 and errno on failure.
int wr_limit_memory(unsigned long bytes);

/// Bytes that this process has written so far, but for sockets; -1 where the system does not tell.
long long wr_written_bytes(void);

/// A process that was started, and this side's ends of what leads to it.
struct wr_child {
    int process;
    /// A socket to the child's descriptor 3.
    int channel;
    /// What it writes to standard error; read without waiting.
    int errors;
};

/// Starts `words[0]` with the arguments `words`, up to a null pointer, as the leader of a process group of its own, in which no
/// signal is ignored or blocked. It gets none of this process's descriptors but, where it is to have them, 0 and 1; they lead
/// to /dev/null otherwise. Returns 0 or the number of an error.
int wr_start_child(char *const *words, int shares_input, int shares_output, struct wr_child *child);

/// A program that is to be measured.
struct wr_program {
    /// As execve(2) takes it, from `folder`.
    const char *path;
    /// Its arguments, the first of which is its name, up to a null pointer.
    char *const *words;
    /// The folder that it runs in; -1: that of this process.
    int folder;
    /// What become its descriptors 0, 1 and 2, each above 2; -1: as this process has them.
    int streams[3];
    /// The open cgroup.procs of the control group that it enters; -1: none.
    int group;
    /// Whether it stays in this process's process group, as one has to that reads from its terminal.
    int stays;
};

struct wr_started {
    int process;
    /// Another child, which ends by itself, to be waited for when there is time; 0: none.
    int copy;
    /// When it took over, in seconds of CLOCK_MONOTONIC.
    double seconds;
    /// 0, or the number of the error for which it is not in `group`.
    int group_error;
};

/// Starts a program, as the leader of a process group of its own unless it stays in this one's, in which no signal is ignored or blocked.
///
/// A process that is started by vfork or posix_spawn begins with the memory of the one that starts it, and the kernel takes the
/// larger of the two for its peak. Here that part is small, however large this process is: it is started from a copy that has
/// let go of its memory. Returns 0 or the number of an error.
int wr_start_program(const struct wr_program *program, struct wr_started *started);

/// A descriptor that becomes readable when a process of this one's ends. -1 and errno on failure.
int wr_watch_process(int process);

/// A pipe whose ends no program gets that is started. -1 and errno on failure.
int wr_pipe(int ends[2]);

#endif
