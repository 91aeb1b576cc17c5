// Decodes a scan: which places of it are decoded at the same time, and how the pieces become one image again.
//
// With restart markers, the places are intervals, whose state is known. Without, the scan is cut into chunks. A machine
// that starts in the middle of a code reads nonsense at first, but Huffman codes synchronize: sooner or later it ends a code
// where a true one ends, then a block, then an MCU, and from there on all that it reads is true. Where the true decoder of the
// chunk before reaches the end of its chunk, it goes on until both are at the start of an MCU at the same bit: there the
// pieces meet.
//
//     chunk 0  ├── true ─────────────────┤──── a few MCUs ──►│
//     chunk 1                            ├─ nonsense ─┬─ true ┼──────────────┤
//                                                     skipped │ kept from here
//
// Where they do not meet, as in areas of one colour, the true decoder goes on through the next chunk.

#include <pthread.h>
#include <stdlib.h>

#include "machine.h"

enum {
    STREAMS = 4,
#ifdef WJ_SMALL_PIECES
    // For fuzzing: every small image has many pieces, and their room is often full.
    CHUNK_BLOCKS = 8,
    ROOM_BLOCKS = 96,
    CHUNK_LEAST = 48,
    CHUNK_MOST = 200,
#else
    /// Blocks that a chunk is meant to have, and that there is room for.
    CHUNK_BLOCKS = 1536,
    ROOM_BLOCKS = 12288,
    /// Bytes of a chunk. Nearly all codes synchronize within 500 bytes.
    CHUNK_LEAST = 4096,
    CHUNK_MOST = 32768,
#endif
    /// MCUs that the decoders of two chunks advance until they meet.
    MEETING_MCUS = 64,
    /// Bytes at the end of an interval that are decoded exactly, so that no machine reads its padding as codes.
    EXACT_TAIL = 32,
    /// Intervals that a thread takes at once.
    INTERVALS = 16,
    /// What a machine may write beyond the block of its place.
    OVERRUN = 256,
};

typedef enum { FREE, WAITING, RUNNING, ENDED, FULL, FAILED, DELIVERED } piece_state;

/// A piece of the scan: the blocks of a chunk.
typedef struct {
    piece_state state;
    uint32_t interval;
    int is_first, is_last;
    const uint8_t *start, *end;
    wj_stream stream;
    /// MCUs in the order of the scan, DC as differences. Zeros where nothing was decoded.
    uint8_t *blocks;
    /// MCUs before the state was true.
    size_t skip;
    /// What is delivered: MCUs after `skip`, the place of the first one, and the DC values before it.
    size_t count;
    uint64_t mcu;
    int32_t dc[WJ_COMPONENTS_MAX];
    /// The piece is decoded further after its delivery.
    int goes_on;
    /// The true stream, which replaces this piece's own as soon as it does not run.
    int is_replaced;
    wj_stream replacement;
} piece;

enum { WINDOW = 4 * STREAMS };

struct wj_decoder {
    wj_frame frame;
    wj_plane planes[WJ_COMPONENTS_MAX];
    wj_block_format formats[WJ_COMPONENTS_MAX];
    wj_machine *machine;
    wj_scan scan;
    uint64_t mcu_count, interval_mcus;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    wj_verdict verdict;
    int is_complete;

    /// Intervals: the next one.
    uint32_t next_interval, done_intervals;

    /// Chunks: a window of pieces. All before `first` are resolved.
    int has_chunks;
    size_t chunk_bytes, room_mcus;
    piece pieces[WINDOW];
    void *blocks;
    uint64_t first, next, oldest;
    uint32_t cut_interval, cut_index;
    int is_cut;
    /// Where the true decoder is.
    uint64_t mcu, interval_end;
    int32_t dc[WJ_COMPONENTS_MAX];
};

// MARK: Memory

/// `count` times `bytes` of zeros, a multiple of 64, from the start of a cache line on. To be freed through `memory`.
static uint8_t *allocate(size_t count, size_t bytes, void **memory) {
    *memory = calloc(1, count * bytes + 63);
    return *memory ? (uint8_t *)(((uintptr_t)*memory + 63) & ~(uintptr_t)63) : NULL;
}

static size_t whole_lines(size_t bytes) { return (bytes + 63) & ~(size_t)63; }

// MARK: Delivery

/// Blocks of an MCU that are transformed together.
typedef struct {
    int component, count;
    size_t x, y;
} block_group;

static int groups_of(const wj_decoder *d, block_group groups[WJ_MCU_BLOCKS_MAX]) {
    int n = 0;
    for (int c = 0; c < d->frame.component_count; c++) {
        const wj_component *component = &d->frame.components[c];
        int scale = d->planes[c].scale;
        for (int v = 0; v < component->v; v++)
            for (int h = 0; h < component->h; h++) {
                int pairs = scale >= 2 && scale <= 4 && h + 1 < component->h;
                groups[n++] = (block_group){c, 1 + pairs, (size_t)(h * scale), (size_t)(v * scale)};
                h += pairs;
            }
    }
    return n;
}

static void take_coefficients(const wj_decoder *d, const block_group *group, uint64_t row, uint64_t column, int16_t *block) {
    const wj_component *component = &d->frame.components[group->component];
    uint64_t x = column * component->h + group->x / 8, y = row * component->v + group->y / 8;
    memcpy(d->planes[group->component].coefficients + 64 * (y * component->blocks_wide + x), block, 128);
    memset(block, 0, 128);
}

/// Turns `count` MCUs from `mcu` on into samples, and clears them. `dc` are the DC values before them.
static wj_verdict deliver(const wj_decoder *d, uint8_t *blocks, uint64_t mcu, size_t count, int32_t dc[WJ_COMPONENTS_MAX]) {
    block_group groups[WJ_MCU_BLOCKS_MAX];
    uint8_t *out[WJ_MCU_BLOCKS_MAX] = {0};
    size_t advance[WJ_MCU_BLOCKS_MAX], stride[WJ_MCU_BLOCKS_MAX];
    int n = groups_of(d, groups);
    for (int g = 0; g < n; g++) {
        const wj_component *component = &d->frame.components[groups[g].component];
        const wj_plane *plane = &d->planes[groups[g].component];
        advance[g] = (size_t)component->h * (size_t)plane->scale;
        stride[g] = plane->stride;
    }
    int16_t *block = (int16_t *)(void *)blocks;
    while (count) {
        uint64_t row = mcu / d->frame.mcus_wide, column = mcu % d->frame.mcus_wide;
        size_t run = d->frame.mcus_wide - column < count ? d->frame.mcus_wide - column : count;
        for (int g = 0; g < n; g++) {
            const wj_component *component = &d->frame.components[groups[g].component];
            const wj_plane *plane = &d->planes[groups[g].component];
            size_t y = row * component->v * (size_t)plane->scale + groups[g].y;
            if (plane->samples) out[g] = plane->samples + y * plane->stride + column * advance[g] + groups[g].x;
        }
        for (size_t i = 0; i < run; i++) {
            for (int g = 0; g < n; g++) {
                int c = groups[g].component, size = d->formats[c].size;
                int16_t values[2];
                for (int b = 0; b < groups[g].count; b++) {
                    dc[c] += block[b * size];
                    values[b] = (int16_t)dc[c];
                    if (WJ_UNLIKELY(dc[c] != values[b])) return WJ_DC_RANGE;
                }
                if (d->planes[c].coefficients) {
                    block[0] = values[0];
                    take_coefficients(d, &groups[g], row, column + i, block);
                } else {
                    d->formats[c].transform(&d->formats[c], block, values, groups[g].count, out[g], stride[g]);
                    out[g] += advance[g];
                }
                block += groups[g].count * size;
            }
        }
        mcu += run;
        count -= run;
    }
    return WJ_ACCEPTED;
}

/// Adds the DC differences of `count` MCUs to `dc`.
static void add_dc(const wj_decoder *d, const uint8_t *blocks, size_t count, int32_t dc[WJ_COMPONENTS_MAX]) {
    const int16_t *block = (const int16_t *)(const void *)blocks;
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < d->frame.component_count; c++)
            for (int b = d->frame.components[c].h * d->frame.components[c].v; b > 0; b--, block += d->formats[c].size)
                dc[c] += *block;
}

/// Whether a stream ended where its interval ends: only padding of less than a byte is left (F.1.2.3).
static int ends_with(const wj_stream *stream, const wj_interval *interval) {
    size_t used = wj_place(stream, interval->start), all = (size_t)interval->size * 8;
    return used <= all && all - used < 8;
}

// MARK: Intervals

typedef struct {
    wj_stream stream;
    uint8_t *blocks, *stop;
    uint32_t interval;
    /// MCUs that are in the blocks when `stop` is passed, and all that are left.
    size_t target, left;
    uint64_t mcu;
    int32_t dc[WJ_COMPONENTS_MAX];
} interval_work;

static void aim(const wj_decoder *d, interval_work *work) {
    work->target = work->left < d->room_mcus ? work->left : d->room_mcus;
    work->stream.block = work->blocks;
    work->stop = work->blocks + work->target * d->machine->mcu_bytes - d->machine->tail_bytes;
}

static void fail(wj_decoder *d, wj_verdict verdict) {
    if (!d->verdict) d->verdict = verdict;
    pthread_cond_broadcast(&d->changed);
}

static int take_intervals(wj_decoder *d, uint32_t *from, uint32_t *to, int (*stop)(void *), void *context) {
    pthread_mutex_lock(&d->lock);
    if (stop && stop(context)) fail(d, WJ_STOPPED);
    *from = d->next_interval;
    *to = *from + INTERVALS < d->scan.interval_count ? *from + INTERVALS : d->scan.interval_count;
    d->next_interval = *to;
    int is_taken = !d->verdict && *from < *to;
    pthread_mutex_unlock(&d->lock);
    return is_taken;
}

/// Decodes what is left of the target, delivers it, and aims at the next one.
static wj_verdict end_target(const wj_decoder *d, interval_work *work) {
    const wj_interval *interval = &d->scan.intervals[work->interval];
    const uint8_t *block = work->blocks + work->target * d->machine->mcu_bytes;
    if (!wj_finish(d->machine, &work->stream, block, interval->start + interval->size)) return WJ_CODE;
    work->left -= work->target;
    if (!work->left && !ends_with(&work->stream, interval)) return WJ_INTERVAL_LENGTH;
    wj_verdict verdict = deliver(d, work->blocks, work->mcu, work->target, work->dc);
    work->mcu += work->target;
    // The place of the next DC, which a value that is not kept may have been written to.
    memset(work->blocks + work->target * d->machine->mcu_bytes, 0, 2);
    aim(d, work);
    return verdict;
}

static void work_on_intervals(wj_decoder *d, int (*stop)(void *), void *context) {
    wj_verdict verdict = WJ_ACCEPTED;
    size_t bytes = whole_lines(d->room_mcus * d->machine->mcu_bytes + OVERRUN);
    void *memory;
    uint8_t *first = allocate(STREAMS, bytes, &memory);
    if (!memory) verdict = WJ_MEMORY;
    interval_work works[STREAMS];
    uint8_t *spare[STREAMS];
    int spares = 0, n = 0;
    while (memory && spares < STREAMS) {
        spare[spares] = first + (size_t)spares * bytes;
        spares++;
    }
    uint32_t from = 0, to = 0;
    while (!verdict) {
        while (n < STREAMS) {
            if (from == to && !take_intervals(d, &from, &to, stop, context)) break;
            interval_work *work = &works[n];
            uint64_t mcu = from * d->interval_mcus;
            *work = (interval_work){.blocks = spare[--spares], .interval = from, .mcu = mcu};
            n++;
            work->left = d->mcu_count - mcu < d->interval_mcus ? (size_t)(d->mcu_count - mcu) : (size_t)d->interval_mcus;
            work->stream = wj_stream_start(d->machine, d->scan.intervals[from].start, work->blocks);
            aim(d, work);
            from++;
        }
        if (!n) break;
        wj_stream streams[STREAMS];
        const uint8_t *stops[STREAMS], *ends[STREAMS];
        for (int i = 0; i < n; i++) {
            const wj_interval *interval = &d->scan.intervals[works[i].interval];
            streams[i] = works[i].stream;
            stops[i] = works[i].stop;
            ends[i] = interval->start + interval->size;
        }
        wj_run(streams, n, stops, ends);
        int kept = 0;
        for (int i = 0; i < n && !verdict; i++) {
            interval_work work = works[i];
            work.stream = streams[i];
            if (streams[i].state->stalled == WJ_STALLED_FAILED || streams[i].in > ends[i]) verdict = WJ_CODE;
            else if (streams[i].state->stalled) wj_resume(d->machine, &work.stream);
            else if (streams[i].block > work.stop) verdict = end_target(d, &work);
            if (work.left) works[kept++] = work;
            else spare[spares++] = work.blocks;
        }
        n = kept;
    }
    free(memory);
    pthread_mutex_lock(&d->lock);
    if (verdict) fail(d, verdict);
    pthread_mutex_unlock(&d->lock);
}

// MARK: Chunks

/// Takes the next chunk of the scan. Returns 0 at the end.
static int cut(wj_decoder *d, piece *p) {
    if (d->cut_interval == d->scan.interval_count) return 0;
    const wj_interval *interval = &d->scan.intervals[d->cut_interval];
    uint32_t count = (uint32_t)(interval->size / d->chunk_bytes);
    if (!count) count = 1;
    p->interval = d->cut_interval;
    p->is_first = !d->cut_index;
    p->is_last = d->cut_index + 1 == count;
    p->start = interval->start + (uint64_t)interval->size * d->cut_index / count;
    p->end = interval->start + (uint64_t)interval->size * (d->cut_index + 1) / count;
    if (p->is_last) p->end -= p->end - p->start > EXACT_TAIL ? EXACT_TAIL : p->end - p->start;
    p->stream = wj_stream_start(d->machine, p->start, p->blocks);
    p->skip = 0;
    p->is_replaced = p->goes_on = 0;
    // What is decoded exactly needs no run.
    p->state = p->start < p->end ? RUNNING : ENDED;
    if (p->is_last) {
        d->cut_interval++;
        d->cut_index = 0;
    } else d->cut_index++;
    d->is_cut = d->cut_interval == d->scan.interval_count;
    return 1;
}

static piece *piece_at(wj_decoder *d, uint64_t index) { return &d->pieces[index % WINDOW]; }

/// The end of the room for a piece's blocks.
static const uint8_t *room_end(const wj_decoder *d, const piece *p) {
    return p->blocks + (d->room_mcus + MEETING_MCUS) * d->machine->mcu_bytes;
}

static piece *take_piece(wj_decoder *d) {
    for (uint64_t i = d->first; i < d->next; i++)
        if (piece_at(d, i)->state == WAITING) {
            piece_at(d, i)->state = RUNNING;
            return piece_at(d, i);
        }
    while (d->oldest < d->first && piece_at(d, d->oldest)->state == FREE) d->oldest++;
    while (d->next < d->oldest + WINDOW && cut(d, piece_at(d, d->next))) {
        piece *p = piece_at(d, d->next++);
        if (p->state == RUNNING) return p;
    }
    return NULL;
}

/// Clears what a piece decoded and lets it go on from `stream`.
static void restart(const wj_decoder *d, piece *p, const wj_stream *stream) {
    memset(p->blocks, 0, (size_t)(p->stream.block - p->blocks) + d->machine->mcu_bytes);
    p->stream = *stream;
    p->stream.block = p->blocks;
    p->skip = 0;
    p->is_replaced = 0;
    p->state = WAITING;
}

/// Advances a true stream to the start of an MCU at which its own state is true. Returns the MCUs before it, -1 on failure.
static ptrdiff_t align(const wj_decoder *d, piece *p) {
    size_t bytes = d->machine->mcu_bytes, done = (size_t)(p->stream.block - p->blocks), n = (done + bytes - 1) / bytes;
    // In the first block of an MCU, the stream is still at the MCU's place.
    if (done == n * bytes && !wj_is_at_mcu(d->machine, &p->stream)) n++;
    if (n < p->skip) n = p->skip;
    const uint8_t *block = p->blocks + n * bytes;
    return block <= room_end(d, p) && wj_finish(d->machine, &p->stream, block, d->scan.limit) ? (ptrdiff_t)n : -1;
}

typedef enum { MET, NOT_MET, BROKEN } meeting;

/// Advances the true decoder of `p` and that of the next piece by MCUs, until both are at the same bit. `end` is the number
/// of MCUs at the end of `p`.
static meeting meet(const wj_decoder *d, piece *p, piece *next, ptrdiff_t *end) {
    uint64_t scratch[(WJ_MCU_BLOCKS_MAX * 128 + OVERRUN) / 8];
    size_t bytes = d->machine->mcu_bytes;
    if ((*end = align(d, p)) < 0) return BROKEN;
    if (next->state == FAILED) return NOT_MET;
    uint8_t *blocks = (uint8_t *)scratch;
    wj_stream own = wj_stream_start(d->machine, next->start, blocks);
    for (size_t n = 0;;) {
        size_t here = wj_place(&p->stream, d->scan.bytes), there = wj_place(&own, d->scan.bytes);
        if (here == there) {
            next->skip = n;
            return MET;
        }
        if (n == MEETING_MCUS || p->stream.in > next->end) return NOT_MET;
        if (here < there) {
            const uint8_t *block = p->blocks + (size_t)(*end + 1) * bytes;
            if (block > room_end(d, p)) return NOT_MET;
            if (!wj_finish(d->machine, &p->stream, block, d->scan.limit)) return BROKEN;
            ++*end;
        } else {
            n++;
            own.block = blocks;
            if (!wj_finish(d->machine, &own, blocks + bytes, d->scan.limit)) return NOT_MET;
        }
    }
}

/// Hands the MCUs of the first piece from `skip` to `end` on.
static wj_verdict hand_on(wj_decoder *d, piece *p, size_t end, int goes_on) {
    p->count = end - p->skip;
    if (d->mcu + p->count > d->interval_end) return WJ_CODE;
    p->mcu = d->mcu;
    memcpy(p->dc, d->dc, sizeof p->dc);
    p->goes_on = goes_on;
    p->state = DELIVERED;
    d->mcu += p->count;
    add_dc(d, p->blocks + p->skip * d->machine->mcu_bytes, p->count, d->dc);
    return WJ_ACCEPTED;
}

/// Begins the interval of the first piece.
static void begin_interval(wj_decoder *d, const piece *p) {
    d->mcu = p->interval * d->interval_mcus;
    d->interval_end = d->mcu + d->interval_mcus < d->mcu_count ? d->mcu + d->interval_mcus : d->mcu_count;
    memset(d->dc, 0, sizeof d->dc);
}

/// Ends the last piece of an interval, whose MCUs are counted. What has no room is decoded after a delivery.
static wj_verdict end_interval(wj_decoder *d, piece *p) {
    const wj_interval *interval = &d->scan.intervals[p->interval];
    size_t left = (size_t)(d->interval_end - d->mcu), room = d->room_mcus + MEETING_MCUS - p->skip;
    size_t end = p->skip + (left < room ? left : room);
    const uint8_t *block = p->blocks + end * d->machine->mcu_bytes;
    if (p->stream.block == block && !wj_is_at_mcu(d->machine, &p->stream)) return WJ_CODE;
    if (!wj_finish(d->machine, &p->stream, block, interval->start + interval->size)) return WJ_CODE;
    if (left <= room && !ends_with(&p->stream, interval)) return WJ_INTERVAL_LENGTH;
    return hand_on(d, p, end, left > room);
}

/// Resolves the pieces from the first one on whose decoding has ended.
static wj_verdict resolve(wj_decoder *d) {
    for (;; d->first++) {
        if (d->first == d->next) return WJ_ACCEPTED;
        piece *p = piece_at(d, d->first);
        if (p->state == FAILED) return WJ_CODE;
        if (p->state != ENDED && p->state != FULL) return WJ_ACCEPTED;
        if (p->is_first && p->state != DELIVERED && !p->goes_on) begin_interval(d, p);
        wj_verdict verdict = WJ_ACCEPTED;
        if (p->state == FULL) {
            ptrdiff_t end = align(d, p);
            if (end < 0) return WJ_CODE;
            return hand_on(d, p, (size_t)end, 1);
        }
        if (p->is_last) {
            verdict = end_interval(d, p);
            if (p->goes_on) return verdict;
        } else {
            if (d->first + 1 == d->next) return WJ_ACCEPTED;
            piece *next = piece_at(d, d->first + 1);
            ptrdiff_t end;
            meeting met = meet(d, p, next, &end);
            if (met == BROKEN) return WJ_CODE;
            if (met == NOT_MET) {
                if (next->state == RUNNING) {
                    next->is_replaced = 1;
                    next->replacement = p->stream;
                } else restart(d, next, &p->stream);
            }
            verdict = hand_on(d, p, (size_t)end, 0);
        }
        if (verdict) return verdict;
    }
}

/// Delivers a piece that is handed on. Called with the lock, which is open meanwhile.
static int deliver_next(wj_decoder *d) {
    piece *p = NULL;
    for (uint64_t i = d->oldest; i < d->next && !p; i++)
        if (piece_at(d, i)->state == DELIVERED) p = piece_at(d, i);
    if (!p) return 0;
    p->state = RUNNING;
    pthread_mutex_unlock(&d->lock);
    size_t bytes = d->machine->mcu_bytes;
    wj_verdict verdict = deliver(d, p->blocks + p->skip * bytes, p->mcu, p->count, p->dc);
    memset(p->blocks, 0, p->skip * bytes);
    memset(p->blocks + (p->skip + p->count) * bytes, 0, bytes);
    pthread_mutex_lock(&d->lock);
    if (verdict) fail(d, verdict);
    if (p->goes_on) {
        p->stream.block = p->blocks;
        p->skip = 0;
        p->state = WAITING;
    } else p->state = FREE;
    pthread_cond_broadcast(&d->changed);
    return 1;
}

/// Takes a piece back from a run. Returns whether it runs on.
static int take_back(wj_decoder *d, piece *p, const wj_stream *stream, const uint8_t *stop) {
    p->stream = *stream;
    if (p->is_replaced) {
        wj_stream replacement = p->replacement;
        restart(d, p, &replacement);
        return 0;
    }
    if (stream->state->stalled == WJ_STALLED_FAILED) p->state = FAILED;
    else if (stream->in > p->end) p->state = ENDED;
    else if (stream->block > stop) p->state = FULL;
    else if (stream->state->stalled) wj_resume(d->machine, &p->stream);
    return p->state == RUNNING;
}

static void work_on_chunks(wj_decoder *d, int (*stop)(void *), void *context) {
    piece *running[STREAMS];
    int n = 0;
    pthread_mutex_lock(&d->lock);
    while (!d->verdict && !d->is_complete) {
        if (stop && stop(context)) {
            fail(d, WJ_STOPPED);
            break;
        }
        wj_verdict verdict = resolve(d);
        if (verdict) {
            fail(d, verdict);
            break;
        }
        if (deliver_next(d)) continue;
        if (d->is_cut && d->first == d->next) {
            // All pieces are resolved: what is left is with other threads.
            d->is_complete = 1;
            for (uint64_t i = d->oldest; i < d->next; i++) d->is_complete &= piece_at(d, i)->state == FREE;
            if (d->is_complete) break;
        }
        uint64_t opened = d->next;
        while (n < STREAMS && (running[n] = take_piece(d))) n++;
        if (!n) {
            if (opened == d->next) pthread_cond_wait(&d->changed, &d->lock);
            continue;
        }
        pthread_mutex_unlock(&d->lock);
        wj_stream streams[STREAMS];
        const uint8_t *stops[STREAMS], *ends[STREAMS];
        for (int i = 0; i < n; i++) {
            streams[i] = running[i]->stream;
            stops[i] = running[i]->blocks + d->room_mcus * d->machine->mcu_bytes - d->machine->tail_bytes;
            ends[i] = running[i]->end;
        }
        wj_run(streams, n, stops, ends);
        pthread_mutex_lock(&d->lock);
        int kept = 0;
        for (int i = 0; i < n; i++)
            if (take_back(d, running[i], &streams[i], stops[i])) running[kept++] = running[i];
        n = kept;
        pthread_cond_broadcast(&d->changed);
    }
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
}

// MARK: The decoder

static void free_decoder(wj_decoder *d) {
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->lock);
    wj_scan_free(&d->scan);
    free(d->machine);
    free(d->blocks);
    free(d);
}

static wj_verdict prepare(wj_decoder *d) {
    wj_verdict verdict = wj_scan_read(&d->frame, &d->scan);
    if (verdict) return verdict;
    if (!(d->machine = malloc(sizeof *d->machine))) return WJ_MEMORY;
    for (int c = 0; c < d->frame.component_count; c++)
        d->formats[c] = wj_block_format_make(
            d->frame.quantization[d->frame.components[c].quantization], d->planes[c].scale);
    wj_machine_build(d->machine, &d->frame, d->formats);
    d->mcu_count = (uint64_t)d->frame.mcus_wide * d->frame.mcus_high;
    d->interval_mcus = d->frame.restart_interval ? d->frame.restart_interval : d->mcu_count;
    d->room_mcus = (size_t)(ROOM_BLOCKS / d->machine->block_count);
    size_t blocks = (size_t)d->mcu_count * (size_t)d->machine->block_count;
    size_t chunk = (size_t)(d->scan.limit - d->scan.bytes) * CHUNK_BLOCKS / blocks;
    d->chunk_bytes = chunk < CHUNK_LEAST ? CHUNK_LEAST : chunk > CHUNK_MOST ? CHUNK_MOST : chunk;
    size_t interval = (size_t)(d->scan.limit - d->scan.bytes) / d->scan.interval_count;
    d->has_chunks = d->scan.interval_count < 2 * STREAMS || interval > 2 * d->chunk_bytes;
    if (!d->has_chunks) {
        if (d->interval_mcus < d->room_mcus) d->room_mcus = (size_t)d->interval_mcus;
        return WJ_ACCEPTED;
    }
    size_t bytes = whole_lines((d->room_mcus + MEETING_MCUS + 1) * d->machine->mcu_bytes + OVERRUN);
    uint8_t *memory = allocate(WINDOW, bytes, &d->blocks);
    if (!memory) return WJ_MEMORY;
    for (int i = 0; i < WINDOW; i++) d->pieces[i].blocks = memory + (size_t)i * bytes;
    return WJ_ACCEPTED;
}

wj_verdict wj_decoder_open(const wj_frame *frame, const wj_plane planes[WJ_COMPONENTS_MAX], wj_decoder **decoder) {
    *decoder = NULL;
    wj_decoder *d = calloc(1, sizeof *d);
    if (!d) return WJ_MEMORY;
    d->frame = *frame;
    memcpy(d->planes, planes, sizeof d->planes);
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->changed, NULL);
    wj_verdict verdict = prepare(d);
    if (verdict) free_decoder(d);
    else *decoder = d;
    return verdict;
}

void wj_decoder_work(wj_decoder *d, int (*stop)(void *), void *context) {
    if (d->has_chunks) work_on_chunks(d, stop, context);
    else work_on_intervals(d, stop, context);
}

wj_verdict wj_decoder_close(wj_decoder *d) {
    wj_verdict verdict = d->verdict;
    free_decoder(d);
    return verdict;
}
