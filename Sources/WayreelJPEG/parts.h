// What the parts of the decoder share: its state, and what they call of each other.
#ifndef WJ_PARTS_H
#define WJ_PARTS_H

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "machine.h"

#ifdef WJ_SMALL_PIECES
// For fuzzing: every small image has many pieces, and their room is often full.
#define WJ_CHUNK_BLOCKS 8
#define WJ_ROOM_BLOCKS 96
#define WJ_CHUNK_LEAST 48
#define WJ_CHUNK_MOST 200
#endif

/// Blocks that a chunk is meant to have, and that there is room for.
#ifndef WJ_CHUNK_BLOCKS
#define WJ_CHUNK_BLOCKS 768
#define WJ_ROOM_BLOCKS 6144
#endif
/// Bytes of a chunk. Nearly all codes synchronize within 500 bytes.
#ifndef WJ_CHUNK_LEAST
#define WJ_CHUNK_LEAST 4096
#define WJ_CHUNK_MOST 32768
#endif

enum {
    /// MCUs that the later one of two chunks advances until they meet.
    WJ_MEETING_MCUS = 64,
    /// How often a chunk begins at a later place because nonsense has failed.
    WJ_BEGINNINGS = 8,
    /// What a machine may write beyond the block of its place.
    WJ_OVERRUN = 256,
};

/// Zeros in pages of their own, of which only those that are used take memory. A heap would clear all of them.
typedef struct {
    uint8_t *base;
    size_t bytes;
} wj_zeros;

static inline wj_zeros wj_zeros_map(size_t bytes) {
    void *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return base == MAP_FAILED ? (wj_zeros){0} : (wj_zeros){base, bytes};
}

static inline void wj_zeros_unmap(wj_zeros zeros) {
    if (zeros.base) munmap(zeros.base, zeros.bytes);
}

typedef enum { WJ_FREE, WJ_WAITING, WJ_RUNNING, WJ_ENDED, WJ_NO_ROOM, WJ_FAILED, WJ_HANDED_ON, WJ_DELIVERING } wj_piece_state;

typedef enum { WJ_MET, WJ_NOT_MET, WJ_BROKEN } wj_meeting;

/// A piece of the scan: the blocks of a chunk.
typedef struct {
    uint64_t index;
    wj_piece_state state;
    uint32_t interval;
    int is_first, is_last, beginnings;
    const uint8_t *start, *end;
    wj_stream stream;
    /// MCUs in the order of the scan, DC as differences. Zeros where nothing was decoded.
    uint8_t *blocks;
    /// MCUs before the state was true.
    size_t skip;
    /// How the piece meets the next one if that begins at `next_start`: MCUs until then, and those that the next one skips.
    wj_meeting meeting;
    const uint8_t *next_start;
    size_t meeting_end, next_skip;
    /// The sums of the DC differences of the first `summed` MCUs.
    size_t summed;
    int32_t sums[WJ_COMPONENTS_MAX];
    /// What is delivered: MCUs after `skip`, the place of the first one, and the DC values before it.
    size_t count;
    uint64_t mcu;
    int32_t dc[WJ_COMPONENTS_MAX];
    /// The piece is decoded further after its delivery.
    int goes_on;
    /// The true stream, which replaces this piece's own as soon as it does not run.
    int is_replaced;
    wj_stream replacement;
} wj_piece;

enum { WJ_WINDOW = 4 * WJ_STREAMS };

/// Blocks of an MCU that are transformed together: one, or two side by side. The place is that of their samples in the MCU.
typedef struct {
    int component, count;
    size_t x, y;
} wj_group;

struct wj_decoder {
    wj_frame frame;
    wj_plane planes[WJ_COMPONENTS_MAX];
    /// Of blocks as they are decoded, and of those that become samples: others where blocks reach beyond the image.
    wj_block_format formats[WJ_COMPONENTS_MAX], reduced[WJ_COMPONENTS_MAX];
    wj_edge_format edges[WJ_COMPONENTS_MAX];
    wj_group groups[WJ_MCU_BLOCKS_MAX];
    int group_count;
    /// Samples that belong to the image, at full size.
    uint32_t widths[WJ_COMPONENTS_MAX], heights[WJ_COMPONENTS_MAX];
    wj_machine *machine;
    wj_scan scan;
    uint64_t mcu_count, interval_mcus;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    wj_verdict verdict;
    int is_complete;

    /// Intervals: the next one.
    uint32_t next_interval;

    /// Chunks: a window of pieces, from the oldest one that is not free to the next one. All before `first` are resolved: what is
    /// true of them is known.
    int has_chunks;
    size_t chunk_bytes, room_mcus;
    wj_piece pieces[WJ_WINDOW];
    wj_zeros blocks;
    /// Rooms for blocks that no piece has; the last one was used last, and may be in the processor's cache.
    uint8_t *spare[WJ_WINDOW];
    int spare_count;
    uint64_t first, next, oldest;
    uint32_t cut_interval, cut_index;
    /// Where the true decoder is.
    uint64_t mcu, interval_end;
    int32_t dc[WJ_COMPONENTS_MAX];
};

static inline size_t wj_whole_lines(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

/// Refuses the image; the first verdict counts. Called with the lock.
static inline void wj_fail(wj_decoder *d, wj_verdict verdict) {
    if (!d->verdict) d->verdict = verdict;
    pthread_cond_broadcast(&d->changed);
}

/// Whether a stream ended where its interval ends: only padding of less than a byte is left (F.1.2.3).
static inline int wj_ends_with(const wj_stream *stream, const wj_interval *interval) {
    size_t used = wj_place(stream, interval->start), all = (size_t)interval->size * 8;
    return used <= all && all - used < 8;
}

// MARK: Delivery (delivery.c)

void wj_choose_groups(wj_decoder *d);
/// Turns `count` MCUs from `mcu` on into samples, and clears them. `dc` are the DC values before them.
wj_verdict wj_deliver(const wj_decoder *d, uint8_t *blocks, uint64_t mcu, size_t count, int32_t dc[WJ_COMPONENTS_MAX]);
/// Adds the DC differences of `count` MCUs to `dc`.
void wj_add_dc(const wj_decoder *d, const uint8_t *blocks, size_t count, int32_t dc[WJ_COMPONENTS_MAX]);

// MARK: Work (intervals.c, chunks.c)

/// Works until the image is decoded or refused. Several threads may do so.
void wj_work_on_intervals(wj_decoder *d, int (*stop)(void *), void *context);
void wj_work_on_chunks(wj_decoder *d, int (*stop)(void *), void *context);

#endif
