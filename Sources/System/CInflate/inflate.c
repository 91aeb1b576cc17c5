#include "CInflate.h"

#include "CLazyLibrary.h"

#include <limits.h>
#include <zlib.h>

// The library is loaded by hand: its functions may not be replaced by jumps, because the program may also be linked
// with it.
static int (*init)(z_streamp, int, const char *, int);
static int (*inflate_some)(z_streamp, int);
static int (*end)(z_streamp);
static const char *failure;

static void load(void) {
    static const char *const names[] = {"libz.so.1", 0};
    static const char *const symbols[] = {"inflateInit2_", "inflate", "inflateEnd", 0};
    void *found[3];
    failure = wr_lazy_open(names, symbols, found, 3);
    if (failure) return;
    *(void **)&init = found[0];
    *(void **)&inflate_some = found[1];
    *(void **)&end = found[2];
}

const char *cinflate_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return failure;
}

cinflate_status cinflate(const void *bytes, size_t count, void *output, size_t capacity, size_t *made) {
    *made = 0;
    if (count > INT_MAX || capacity > INT_MAX) return CINFLATE_DAMAGED;
    z_stream stream = {.next_in = (Bytef *)bytes, .avail_in = (uInt)count, .next_out = output, .avail_out = (uInt)capacity};
    // Adding 32 to the window size detects zlib or gzip.
    int status = init(&stream, 15 + 32, ZLIB_VERSION, (int)sizeof stream);
    if (status != Z_OK) return status == Z_MEM_ERROR ? CINFLATE_NO_MEMORY : CINFLATE_DAMAGED;
    status = inflate_some(&stream, Z_FINISH);
    *made = capacity - stream.avail_out;
    int is_full = stream.avail_out == 0;
    end(&stream);
    switch (status) {
        case Z_STREAM_END: return CINFLATE_DONE;
        case Z_MEM_ERROR: return CINFLATE_NO_MEMORY;
        case Z_OK:
        case Z_BUF_ERROR: return is_full ? CINFLATE_FULL : CINFLATE_CUT;
        default: return CINFLATE_DAMAGED;
    }
}
