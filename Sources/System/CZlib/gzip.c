#include "CZlib.h"

#include <limits.h>
#include <zlib.h>

// gzip's header and trailer take 18 bytes; those of zlib, which the bound includes, take 6.
size_t czlib_gzip_bound(size_t count) { return compressBound(count) + 12; }

size_t czlib_gzip(const void *bytes, size_t count, void *output, size_t capacity) {
    if (count > UINT_MAX || capacity > UINT_MAX) return 0;
    z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)count, .next_out = output, .avail_out = (uInt)capacity};
    // Adding 16 to the window size selects gzip.
    if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    int status = deflate(&stream, Z_FINISH);
    size_t made = stream.total_out;
    deflateEnd(&stream);
    return status == Z_STREAM_END ? made : 0;
}
