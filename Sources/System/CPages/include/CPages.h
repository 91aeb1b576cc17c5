// The files of Player/ and APIPage/, which are part of the binary: it needs none of them beside it.
#ifndef CPAGES_H
#define CPAGES_H

struct wr_page_file {
    /// Relative to the repository: Player/index.html. NULL ends the list.
    const char *path;
    /// Text, with a NUL after it.
    const char *text;
};

/// All files. A list, since Swift's compiler takes a minute for as many bytes in a literal, and C's takes none (#embed).
const struct wr_page_file *wr_page_files(void);

#endif
