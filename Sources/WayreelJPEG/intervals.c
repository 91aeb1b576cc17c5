// Decodes an image with many restart intervals: the places that are decoded in turn are intervals, whose state is known.

#include "parts.h"

/// Intervals that a thread takes at once.
enum { INTERVALS = 16 };

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

static int take_intervals(wj_decoder *d, uint32_t *from, uint32_t *to, int (*stop)(void *), void *context) {
    pthread_mutex_lock(&d->lock);
    if (stop && stop(context)) wj_fail(d, WJ_STOPPED);
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
    if (!wj_finish(&work->stream, block, interval->start + interval->size)) return WJ_CODE;
    work->left -= work->target;
    if (!work->left && !wj_ends_with(&work->stream, interval)) return WJ_INTERVAL_LENGTH;
    wj_verdict verdict = wj_deliver(d, work->blocks, work->mcu, work->target, work->dc);
    work->mcu += work->target;
    // The place of the next DC, which a value that is not kept may have been written to.
    memset(work->blocks + work->target * d->machine->mcu_bytes, 0, 2);
    aim(d, work);
    return verdict;
}

void wj_work_on_intervals(wj_decoder *d, int (*stop)(void *), void *context) {
    wj_verdict verdict = WJ_ACCEPTED;
    size_t bytes = wj_whole_lines(d->room_mcus * d->machine->mcu_bytes + WJ_OVERRUN);
    wj_zeros memory = wj_zeros_map(WJ_STREAMS * bytes);
    if (!memory.base) verdict = WJ_MEMORY;
    interval_work works[WJ_STREAMS];
    uint8_t *spare[WJ_STREAMS];
    int spares = 0, n = 0;
    while (memory.base && spares < WJ_STREAMS) {
        spare[spares] = memory.base + (size_t)spares * bytes;
        spares++;
    }
    uint32_t from = 0, to = 0;
    while (!verdict) {
        while (n < WJ_STREAMS) {
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
        wj_stream streams[WJ_STREAMS];
        const uint8_t *stops[WJ_STREAMS], *ends[WJ_STREAMS];
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
            if (streams[i].state->has_failed || streams[i].in > ends[i]) verdict = WJ_CODE;
            else if (streams[i].block > work.stop) verdict = end_target(d, &work);
            if (work.left) works[kept++] = work;
            else spare[spares++] = work.blocks;
        }
        n = kept;
    }
    wj_zeros_unmap(memory);
    pthread_mutex_lock(&d->lock);
    if (verdict) wj_fail(d, verdict);
    pthread_mutex_unlock(&d->lock);
}
