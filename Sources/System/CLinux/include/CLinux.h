// The few calls of Linux that Swift's Glibc module leaves out.
#ifndef CLINUX_H
#define CLINUX_H

/// Opens a file without a name in `folder` for reading and writing (O_TMPFILE). -1 and errno on failure.
int wr_open_unnamed(const char *folder, unsigned mode);

/// Renames, but fails with EEXIST where something stands at `new`; see renameat2(2). -1 and errno on failure.
int wr_rename_new(const char *old, const char *new);

/// Exchanges what stands at two paths, at once. -1 and errno on failure: not every file system can.
int wr_rename_exchange(const char *a, const char *b);

/// The number of cores that this process may run on.
int wr_available_cores(void);

/// From now on SIGINT, SIGTERM and SIGHUP do not end the process (those that it was started to ignore aside) but are read, one
/// byte for each, from the descriptor returned. -1 and errno on failure. To be called once.
int wr_signal_pipe(void);

#endif
