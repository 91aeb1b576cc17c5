// The files of Player/, APIPage/ and StreamsPage/, embedded in the binary, which needs no further files.
#ifndef CPAGES_H
#define CPAGES_H

struct wr_page_file {
    /// The path relative to the repository: Player/index.html. NULL ends the list.
    const char *path;
    /// The text, followed by a NUL.
    const char *text;
};

/// Returns all files. They are a C list because Swift's compiler takes a minute for a literal of that size, and C's
/// embeds the files at no cost (#embed).
const struct wr_page_file *wr_page_files(void);

#endif
