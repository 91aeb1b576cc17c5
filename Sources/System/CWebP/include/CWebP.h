#ifndef WR_CWEBP_H
#define WR_CWEBP_H

#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

/// Loads libwebp once. Returns NULL on success, otherwise the reason. Must be called before any of its functions.
const char *webp_load(void);

#endif
