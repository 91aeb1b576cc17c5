#ifndef WR_CWEBP_H
#define WR_CWEBP_H

#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

/// Loads libwebp, once. NULL on success, else the reason. No function of libwebp may be called before.
const char *webp_load(void);

#endif
