// Decodes an image without restart markers, or with few: its scan is cut into chunks.
//
// A stream that starts in the middle of a code reads nonsense at first, but Huffman codes synchronize: sooner or later it ends a
// code where the encoder ended one, then a block, then an MCU. From there on it is true: it reads what the encoder wrote. Where the
// true stream of the chunk before reaches the end of its chunk, it goes on until both are at the start of an MCU at the same bit:
// there the pieces meet (`meet`). Nonsense that fails begins again some bytes later (`begin_later`).
//
//     chunk 0  ├── true ─────────────────┤──── a few MCUs ──►│
//     chunk 1                            ├─ nonsense ─┬─ true ┼──────────────┤
//                                                     skipped │ kept from here
//
// Where they do not meet, as in areas of one colour, the true stream goes on through the next chunk.
//
// A piece is a chunk that is decoded. Pieces are resolved in the order of the scan, and from then on are known to be true:
//
//     FREE ──► RUNNING ──► ENDED ──► HANDED_ON ──► DELIVERING ──► FREE
//                │  ▲                                  │
//                ├──┼─► NO_ROOM for more blocks ─► …   │
//                ├──┼─► FAILED                         ▼
//                └──┴──────────────────────────────  WAITING, to go on

#include "parts.h"

/// Bytes at the end of an interval that are decoded exactly, so that no machine reads its padding as codes.
enum { EXACT_TAIL = 32 };

/// Whether no chunk of the scan is left.
static int is_cut(const wj_decoder *d) { return d->cut_interval == d->scan.interval_count; }

/// Forgets what is known of the blocks of a piece.
static void begin(wj_piece *p) {
    p->skip = p->summed = 0;
    p->next_start = NULL;
    p->is_replaced = 0;
    memset(p->sums, 0, sizeof p->sums);
}

/// Takes the next chunk of the scan. Returns 0 at the end.
static int cut(wj_decoder *d, wj_piece *p) {
    if (is_cut(d)) return 0;
    p->index = d->next;
    const wj_interval *interval = &d->scan.intervals[d->cut_interval];
    uint32_t count = (uint32_t)(interval->size / d->chunk_bytes);
    if (!count) count = 1;
    p->interval = d->cut_interval;
    p->is_first = !d->cut_index;
    p->is_last = d->cut_index + 1 == count;
    p->start = interval->start + (uint64_t)interval->size * d->cut_index / count;
    p->end = interval->start + (uint64_t)interval->size * (d->cut_index + 1) / count;
    if (p->is_last) p->end -= p->end - p->start > EXACT_TAIL ? EXACT_TAIL : p->end - p->start;
    p->blocks = d->spare[--d->spare_count];
    p->stream = wj_stream_start(d->machine, p->start, p->blocks);
    begin(p);
    p->goes_on = p->beginnings = 0;
    // What is decoded exactly needs no run.
    p->state = p->start < p->end ? WJ_RUNNING : WJ_ENDED;
    if (p->is_last) {
        d->cut_interval++;
        d->cut_index = 0;
    } else d->cut_index++;
    return 1;
}

static wj_piece *piece_at(wj_decoder *d, uint64_t index) { return &d->pieces[index % WJ_WINDOW]; }

/// The end of the room for a piece's blocks.
static const uint8_t *room_end(const wj_decoder *d, const wj_piece *p) {
    return p->blocks + (d->room_mcus + WJ_MEETING_MCUS) * d->machine->mcu_bytes;
}

static wj_piece *take_piece(wj_decoder *d) {
    for (uint64_t i = d->first; i < d->next; i++)
        if (piece_at(d, i)->state == WJ_WAITING) {
            piece_at(d, i)->state = WJ_RUNNING;
            return piece_at(d, i);
        }
    while (d->oldest < d->first && piece_at(d, d->oldest)->state == WJ_FREE) d->oldest++;
    while (d->next < d->oldest + WJ_WINDOW && cut(d, piece_at(d, d->next))) {
        wj_piece *p = piece_at(d, d->next++);
        if (p->state == WJ_RUNNING) return p;
    }
    return NULL;
}

/// Clears what a piece decoded and lets it go on from `stream`.
static void restart(const wj_decoder *d, wj_piece *p, const wj_stream *stream) {
    memset(p->blocks, 0, (size_t)(p->stream.block - p->blocks) + d->machine->mcu_bytes);
    p->stream = *stream;
    p->stream.block = p->blocks;
    begin(p);
    p->state = WJ_WAITING;
}

/// Advances a true stream to the start of an MCU at which its own state is true. Returns the MCUs before it, -1 on failure.
static ptrdiff_t align(const wj_decoder *d, wj_piece *p, size_t skip) {
    size_t bytes = d->machine->mcu_bytes, done = (size_t)(p->stream.block - p->blocks), n = (done + bytes - 1) / bytes;
    // In the first block of an MCU, the stream is still at the MCU's place.
    if (done == n * bytes && !wj_is_at_mcu(d->machine, &p->stream)) n++;
    if (n < skip) n = skip;
    const uint8_t *block = p->blocks + n * bytes;
    return block <= room_end(d, p) && wj_finish(&p->stream, block, d->scan.limit) ? (ptrdiff_t)n : -1;
}

/// Advances the true decoder of `p`, which skips `skip` MCUs, and that of a piece from `start` to `limit` by MCUs, until both
/// are at the same bit.
static void meet(const wj_decoder *d, wj_piece *p, size_t skip, const uint8_t *start, const uint8_t *limit) {
    uint64_t scratch[(WJ_MCU_BLOCKS_MAX * 128 + WJ_OVERRUN) / 8];
    size_t bytes = d->machine->mcu_bytes;
    ptrdiff_t end = align(d, p, skip);
    p->next_start = start;
    p->meeting = end < 0 ? WJ_BROKEN : WJ_NOT_MET;
    if (end < 0) return;
    uint8_t *blocks = (uint8_t *)scratch;
    wj_stream next = wj_stream_start(d->machine, start, blocks);
    for (p->meeting_end = (size_t)end, p->next_skip = 0;;) {
        size_t here = wj_place(&p->stream, d->scan.bytes), there = wj_place(&next, d->scan.bytes);
        if (here == there) {
            p->meeting = WJ_MET;
            return;
        }
        if (p->next_skip == WJ_MEETING_MCUS || p->stream.in > limit) return;
        if (here < there) {
            const uint8_t *block = p->blocks + (p->meeting_end + 1) * bytes;
            if (block > room_end(d, p)) return;
            if (!wj_finish(&p->stream, block, d->scan.limit)) {
                p->meeting = WJ_BROKEN;
                return;
            }
            p->meeting_end++;
        } else {
            p->next_skip++;
            next.block = blocks;
            if (!wj_finish(&next, blocks + bytes, d->scan.limit)) return;
        }
    }
}

/// Sums the DC differences of a piece's first `count` MCUs.
static void sum_dc(const wj_decoder *d, wj_piece *p, size_t count) {
    if (count <= p->summed) return;
    wj_add_dc(d, p->blocks + p->summed * d->machine->mcu_bytes, count - p->summed, p->sums);
    p->summed = count;
}

/// Hands the MCUs of the first piece from `skip` to `end` on.
static wj_verdict hand_on(wj_decoder *d, wj_piece *p, size_t end, int goes_on) {
    p->count = end - p->skip;
    if (d->mcu + p->count > d->interval_end) return WJ_CODE;
    p->mcu = d->mcu;
    memcpy(p->dc, d->dc, sizeof p->dc);
    p->goes_on = goes_on;
    p->state = WJ_HANDED_ON;
    d->mcu += p->count;
    int32_t skipped[WJ_COMPONENTS_MAX] = {0};
    sum_dc(d, p, end);
    wj_add_dc(d, p->blocks, p->skip, skipped);
    for (int c = 0; c < d->frame.component_count; c++) d->dc[c] += p->sums[c] - skipped[c];
    return WJ_ACCEPTED;
}

/// Begins the interval of the first piece.
static void begin_interval(wj_decoder *d, const wj_piece *p) {
    d->mcu = p->interval * d->interval_mcus;
    d->interval_end = d->mcu + d->interval_mcus < d->mcu_count ? d->mcu + d->interval_mcus : d->mcu_count;
    memset(d->dc, 0, sizeof d->dc);
}

/// Ends the last piece of an interval, whose MCUs are counted. What has no room is decoded after a delivery.
static wj_verdict end_interval(wj_decoder *d, wj_piece *p) {
    const wj_interval *interval = &d->scan.intervals[p->interval];
    size_t left = (size_t)(d->interval_end - d->mcu), room = d->room_mcus + WJ_MEETING_MCUS - p->skip;
    size_t end = p->skip + (left < room ? left : room);
    const uint8_t *block = p->blocks + end * d->machine->mcu_bytes;
    if (p->stream.block == block && !wj_is_at_mcu(d->machine, &p->stream)) return WJ_CODE;
    if (!wj_finish(&p->stream, block, interval->start + interval->size)) return WJ_CODE;
    if (left <= room && !wj_ends_with(&p->stream, interval)) return WJ_INTERVAL_LENGTH;
    return hand_on(d, p, end, left > room);
}

/// Resolves the pieces from the first one on whose decoding has ended.
static wj_verdict resolve(wj_decoder *d) {
    for (;; d->first++) {
        if (d->first == d->next) return WJ_ACCEPTED;
        wj_piece *p = piece_at(d, d->first);
        if (p->state == WJ_FAILED) return WJ_CODE;
        if (p->state != WJ_ENDED && p->state != WJ_NO_ROOM) return WJ_ACCEPTED;
        if (p->is_first && !p->goes_on) begin_interval(d, p);
        wj_verdict verdict = WJ_ACCEPTED;
        if (p->state == WJ_NO_ROOM) {
            ptrdiff_t end = align(d, p, p->skip);
            if (end < 0) return WJ_CODE;
            return hand_on(d, p, (size_t)end, 1);
        }
        if (p->is_last) {
            verdict = end_interval(d, p);
            if (p->goes_on) return verdict;
        } else {
            if (d->first + 1 == d->next) return WJ_ACCEPTED;
            wj_piece *next = piece_at(d, d->first + 1);
            if (p->next_start != next->start || p->meeting_end < p->skip) meet(d, p, p->skip, next->start, next->end);
            if (p->meeting == WJ_BROKEN) return WJ_CODE;
            next->skip = p->next_skip;
            if (p->meeting == WJ_NOT_MET || next->state == WJ_FAILED) {
                if (next->state == WJ_RUNNING) {
                    next->is_replaced = 1;
                    next->replacement = p->stream;
                } else restart(d, next, &p->stream);
            }
            verdict = hand_on(d, p, p->meeting_end, 0);
        }
        if (verdict) return verdict;
    }
}

/// Delivers a piece that is handed on. Called with the lock, which is open meanwhile.
static int deliver_next(wj_decoder *d) {
    wj_piece *p = NULL;
    for (uint64_t i = d->oldest; i < d->next && !p; i++)
        if (piece_at(d, i)->state == WJ_HANDED_ON) p = piece_at(d, i);
    if (!p) return 0;
    p->state = WJ_DELIVERING;
    pthread_mutex_unlock(&d->lock);
    size_t bytes = d->machine->mcu_bytes;
    wj_verdict verdict = wj_deliver(d, p->blocks + p->skip * bytes, p->mcu, p->count, p->dc);
    memset(p->blocks, 0, p->skip * bytes);
    memset(p->blocks + (p->skip + p->count) * bytes, 0, bytes);
    pthread_mutex_lock(&d->lock);
    if (verdict) wj_fail(d, verdict);
    if (p->goes_on) {
        p->stream.block = p->blocks;
        begin(p);
        p->state = WJ_WAITING;
    } else {
        p->state = WJ_FREE;
        d->spare[d->spare_count++] = p->blocks;
    }
    pthread_cond_broadcast(&d->changed);
    return 1;
}

/// Lets a piece that failed before it was true begin at a later place. Returns 0 if there is none.
static int begin_later(wj_decoder *d, wj_piece *p) {
    // From its start on, a piece is true if it is an interval's, or if the piece before has met it.
    if (p->is_first || p == piece_at(d, d->first) || p->beginnings == WJ_BEGINNINGS) return 0;
    const uint8_t *later = d->scan.bytes + wj_place(&p->stream, d->scan.bytes) / 8 + 1;
    if (later >= p->end) return 0;
    p->start = later;
    p->beginnings++;
    wj_stream stream = wj_stream_start(d->machine, later, p->blocks);
    restart(d, p, &stream);
    p->state = WJ_RUNNING;
    return 1;
}

/// Lets a piece whose stream was replaced go on from that.
static void replace(const wj_decoder *d, wj_piece *p) {
    wj_stream replacement = p->replacement;
    restart(d, p, &replacement);
}

typedef enum { RUNS_ON, ENDED, TAKEN_BACK } run_result;

/// Takes a piece back from a run.
static run_result take_back(wj_decoder *d, wj_piece *p, const wj_stream *stream, const uint8_t *stop) {
    p->stream = *stream;
    if (p->is_replaced) replace(d, p);
    else if (stream->state->has_failed) {
        if (begin_later(d, p)) return RUNS_ON;
        p->state = WJ_FAILED;
    } else if (stream->in > p->end) return ENDED;
    else if (stream->block > stop) p->state = WJ_NO_ROOM;
    else return RUNS_ON;
    return TAKEN_BACK;
}

/// Lets a piece that has ended meet the next one, in case both are true. Called with the lock, which is open meanwhile.
static void end_piece(wj_decoder *d, wj_piece *p) {
    if (!p->is_last && p->index + 1 < d->next) {
        const wj_piece *next = piece_at(d, p->index + 1);
        const uint8_t *start = next->start, *end = next->end;
        pthread_mutex_unlock(&d->lock);
        meet(d, p, 0, start, end);
        if (p->meeting != WJ_BROKEN) sum_dc(d, p, p->meeting_end);
        pthread_mutex_lock(&d->lock);
    }
    if (p->is_replaced) replace(d, p);
    else p->state = WJ_ENDED;
}

void wj_work_on_chunks(wj_decoder *d, int (*stop)(void *), void *context) {
    wj_piece *running[WJ_STREAMS];
    int n = 0;
    pthread_mutex_lock(&d->lock);
    while (!d->verdict && !d->is_complete) {
        if (stop && stop(context)) {
            wj_fail(d, WJ_STOPPED);
            break;
        }
        wj_verdict verdict = resolve(d);
        if (verdict) {
            wj_fail(d, verdict);
            break;
        }
        if (deliver_next(d)) continue;
        if (is_cut(d) && d->first == d->next) {
            // All pieces are resolved: what is left is with other threads.
            d->is_complete = 1;
            for (uint64_t i = d->oldest; i < d->next; i++) d->is_complete &= piece_at(d, i)->state == WJ_FREE;
            if (d->is_complete) break;
        }
        uint64_t opened = d->next;
        while (n < WJ_STREAMS && (running[n] = take_piece(d))) n++;
        if (!n) {
            if (opened == d->next) pthread_cond_wait(&d->changed, &d->lock);
            continue;
        }
        pthread_mutex_unlock(&d->lock);
        wj_stream streams[WJ_STREAMS];
        const uint8_t *stops[WJ_STREAMS], *ends[WJ_STREAMS];
        for (int i = 0; i < n; i++) {
            streams[i] = running[i]->stream;
            stops[i] = running[i]->blocks + d->room_mcus * d->machine->mcu_bytes - d->machine->tail_bytes;
            ends[i] = running[i]->end;
        }
        wj_run(streams, n, stops, ends);
        pthread_mutex_lock(&d->lock);
        int kept = 0;
        for (int i = 0; i < n; i++) {
            wj_piece *p = running[i];
            run_result result = take_back(d, p, &streams[i], stops[i]);
            if (result == RUNS_ON) running[kept++] = p;
            else if (result == ENDED) end_piece(d, p);
        }
        n = kept;
        pthread_cond_broadcast(&d->changed);
    }
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
}
