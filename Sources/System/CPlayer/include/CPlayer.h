// The files of Player/, which are part of the binary: it needs none of them beside it.
#ifndef CPLAYER_H
#define CPLAYER_H

struct wr_player_file {
    /// Relative to the repository: Player/index.html. NULL ends the list.
    const char *path;
    /// Text, with a NUL after it.
    const char *text;
};

/// All files. A list, since Swift's compiler takes a minute for as many bytes in a literal, and C's takes none (#embed).
const struct wr_player_file *wr_player_files(void);

#endif
