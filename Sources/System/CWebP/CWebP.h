#ifndef WR_CWEBP_H
#define WR_CWEBP_H

#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/demux.h>
#include <webp/mux.h>

#endif
