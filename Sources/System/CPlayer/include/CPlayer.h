// The files of Player/, embedded in the binary, which needs no further files.
#ifndef CPLAYER_H
#define CPLAYER_H

struct wr_player_file {
    /// The path relative to the repository: Player/index.html. NULL ends the list.
    const char *path;
    /// The text, followed by a NUL.
    const char *text;
};

/// Returns all files. They are a C list because Swift's compiler takes a minute for a literal of that size, and C's
/// embeds the files at no cost (#embed).
const struct wr_player_file *wr_player_files(void);

#endif
