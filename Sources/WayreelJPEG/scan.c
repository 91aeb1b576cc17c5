// Removes stuffed bytes and restart markers from a scan (T.81, B.1.1.5 and B.1.1.2).

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "decoder.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { EOI = 0xD9, RST0 = 0xD0 };

void wj_scan_free(wj_scan *scan) {
    if (scan->bytes) munmap(scan->bytes, scan->byte_count);
    free(scan->intervals);
    *scan = (wj_scan){0};
}

/// Maps the pages for `count` bytes from `from` on, and some more, at once. Returns the end of what is mapped.
static uint8_t *map_pages(const wj_scan *scan, uint8_t *from, size_t count) {
    enum { at_once = 256 << 10 };
    size_t left = scan->byte_count - (size_t)(from - scan->bytes), wanted = (count + at_once - 1) / at_once * at_once;
    // Where the kernel does not know it, the pages are mapped as they are written.
    (void)madvise(from, wanted < left ? wanted : left, MADV_POPULATE_WRITE);
    return from + wanted;
}

wj_verdict wj_scan_read(const wj_frame *frame, wj_scan *scan) {
    *scan = (wj_scan){0};
    const uint8_t *in = frame->scan, *end = in + frame->scan_size;
    uint64_t mcus = (uint64_t)frame->mcus_wide * frame->mcus_high, per = frame->restart_interval;
    uint64_t wanted = per ? (mcus + per - 1) / per : 1;
    // Before memory is taken by a size from the file: a block takes 2 bits at least, an interval a byte and a marker.
    uint64_t blocks = 0;
    for (int c = 0; c < frame->component_count; c++) blocks += mcus * frame->components[c].h * frame->components[c].v;
    if (blocks / 4 > frame->scan_size || wanted > frame->scan_size / 3 + 1 || frame->scan_size > INT32_MAX)
        return WJ_TOO_SHORT;
    enum { padding = 64 };
    // As large as what follows the header, which may be a video after the image. Only what is written takes memory.
    scan->byte_count = frame->scan_size + padding;
    void *bytes = mmap(NULL, scan->byte_count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (bytes == MAP_FAILED) return WJ_MEMORY;
    scan->bytes = bytes;
    scan->intervals = malloc(sizeof *scan->intervals * wanted);
    if (!scan->intervals) return WJ_MEMORY;
    uint8_t *out = scan->bytes, *start = out, *mapped = out;
    for (;;) {
        const uint8_t *mark = memchr(in, 0xFF, (size_t)(end - in));
        if (!mark || end - mark < 2) return WJ_NO_EOI;
        size_t run = (size_t)(mark - in);
        if (out + run >= mapped) mapped = map_pages(scan, mapped, run);
        memcpy(out, in, run);
        out += run;
        in = mark + 2;
        int marker = mark[1];
        if (WJ_LIKELY(!marker)) {
            *out++ = 0xFF;
            continue;
        }
        // Bytes of ones may precede a marker; libjpeg takes two of them and a zero for data.
        while (marker == 0xFF && in < end) marker = *in++;
        if (marker == 0 || marker == 0xFF) return WJ_SCAN_MARKER;
        uint32_t index = scan->interval_count;
        if (index >= wanted) return WJ_INTERVAL_COUNT;
        scan->intervals[scan->interval_count++] = (wj_interval){start, (uint32_t)(out - start)};
        start = out;
        if (marker == EOI) break;
        if (!per || marker != RST0 + (int)(index & 7)) return WJ_SCAN_MARKER;
    }
    if (scan->interval_count != wanted) return WJ_INTERVAL_COUNT;
    memset(out, 0, padding);
    scan->limit = out + padding - 8;
    return WJ_ACCEPTED;
}
