#ifndef WR_CFLAC_H
#define WR_CFLAC_H

#include <FLAC/stream_decoder.h>

/// Loads libFLAC once. Returns NULL on success, otherwise the reason. Must be called before any of its functions.
const char *flac_load(void);

#endif
