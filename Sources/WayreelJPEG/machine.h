// The state machine that decodes the codes of a scan.
//
// A sequential decoder looks a code up, adds its run to the position in the block, and asks whether the block ends. Each
// step waits for the one before: some 15 cycles, in which a processor could do four times as much. So up to four places of
// the scan are decoded in turn, each by a stream, which is a place and a state of the machine, and whose step has no branch:
//
//            bits                       state (where in which block of the MCU)
//             │  upper bits of `bits`     │ table, shift, base
//             ▼                           ▼
//           table[bits >> shift] ──► entry: advance, value, length
//                                         │
//             base + advance ──► next state: slot, next_block
//                                         │
//             block[slot] = value;  bits <<= length;  block += next_block
//
// `advance` is a distance between states, the same for all positions: run + 1 for a coefficient, so that the sum of
// positions is a sum of addresses. What is not a coefficient leads to other states of the same block:
//
//         0 … 63    the next coefficient is this one; 0 is DC
//             64    the block is full: the next code is the DC of the next block
//       65 … 128    a run went beyond coefficient 63: failed
//      129 … 191    EOB after coefficient 0 … 62: as 64
//    semi(s, k)     a code is known, its s bits for coefficient k − 1 are not, because they did not fit into the index
//       long(k)     the ones that all longer codes begin with are read; the next index is the rest of the code
//
// States from 64 on have the tables and the base of what follows, so they need no step of their own. A failed state leads to
// itself.
//
// A value is stored before it is known whether it belongs to the block: what is not kept goes to the place of the next block's
// DC, which that block's own DC overwrites. After the last block, the caller clears it.
#ifndef WJ_MACHINE_H
#define WJ_MACHINE_H

#include <string.h>

#include "decoder.h"

/// Places of the scan that are decoded in turn. Benchmarks measure 1 to 5.
#ifndef WJ_STREAMS
#define WJ_STREAMS 4
#endif

/// Bits of an index: for DC and AC codes, and for the rest of long codes, whose first 6 bits are ones (wj_long_prefix).
enum { WJ_DC_BITS = 10, WJ_AC_BITS = 10, WJ_REST_BITS = 10 };

/// Length in bits 0 … 5, advance in states in bits 6 … 16, value in bits 20 … 31.
typedef uint32_t wj_entry;

WJ_INLINE wj_entry wj_entry_make(int advance, int value, int length) {
    return (uint32_t)length | (uint32_t)advance << 6 | (uint32_t)value << 20;
}

typedef struct wj_state {
    const wj_entry *table;
    const struct wj_state *base;
    /// Bytes from this block to that of the next code: 0, or the size of a block.
    uint16_t next_block;
    /// 64 − bits of the table's index.
    uint8_t shift;
    /// Where the value that led here is stored, in bytes; for values that are not kept, the place of the next block's DC.
    uint8_t slot;
    uint8_t has_failed;
    /// A distance between states is one of addresses: 32 bytes.
    uint8_t unused[11];
} wj_state;

enum {
    WJ_FULL = 64,
    WJ_EOB = 128,
    WJ_SEMI = 256,
    /// Positions beside each other for each size of semi states: those beyond 64 fail.
    WJ_SEMI_POSITIONS = 80,
    WJ_LONG = WJ_SEMI + 12 * WJ_SEMI_POSITIONS,
    WJ_STATES = WJ_LONG + 64,
};

typedef struct {
    wj_entry dc[4][1 << WJ_DC_BITS], ac[4][1 << WJ_AC_BITS];
    /// For what follows the ones that long codes begin with.
    wj_entry dc_rest[4][1 << WJ_REST_BITS], ac_rest[4][1 << WJ_REST_BITS];
    /// The values of s bits, from index 1 << s on.
    wj_entry bits[1 << 12];
    wj_state states[WJ_MCU_BLOCKS_MAX][WJ_STATES];
    wj_state failed;
    int block_count;
    uint8_t component_of_block[WJ_MCU_BLOCKS_MAX];
    size_t mcu_bytes;
    /// Size of the last three blocks of an MCU, which a round of five steps may cross: a block has two codes at least.
    size_t tail_bytes;
    const wj_frame *frame;
} wj_machine;

/// The number of ones that all codes of more than `index_bits` bits begin with; 0 if there is none, −1 if the rest of them does
/// not fit into an index. Encoders give the longest codes to the rarest symbols, and the last codes are those of most ones.
int wj_long_prefix(const wj_huffman *huffman, int index_bits);

void wj_machine_build(wj_machine *machine, const wj_frame *frame, const wj_block_format formats[WJ_COMPONENTS_MAX]);

/// One place of the scan. The lowest one of `bits` is a mark: below it are as many zeros as bits were used since `in`.
typedef struct {
    uint64_t bits;
    const uint8_t *in;
    const wj_state *state;
    uint8_t *block;
} wj_stream;

WJ_INLINE uint64_t wj_load(const uint8_t *in) {
    uint64_t value;
    memcpy(&value, in, 8);
    return __builtin_bswap64(value) | 1;
}
WJ_INLINE unsigned wj_used(const wj_stream *stream) { return (unsigned)__builtin_ctzll(stream->bits); }
/// 56 bits at least are valid after it.
WJ_INLINE void wj_refill(wj_stream *stream) {
    unsigned used = wj_used(stream);
    stream->in += used >> 3;
    stream->bits = wj_load(stream->in) << (used & 7);
}
WJ_INLINE void wj_step(wj_stream *stream) {
    wj_entry entry = stream->state->table[stream->bits >> stream->state->shift];
    // A state has 32 bytes.
    const wj_state *next = (const wj_state *)((const char *)stream->state->base + (entry >> 1 & 2047 << 5));
    int16_t value = (int16_t)((int32_t)entry >> 20);
    memcpy(stream->block + next->slot, &value, 2);
    stream->bits <<= entry & 63;
    stream->block += next->next_block;
    stream->state = next;
    // Without it, clang mixes the steps of four streams until it has no registers left, which takes a third more time.
    __asm__ volatile("" : "+r"(stream->bits), "+r"(stream->state), "+r"(stream->block));
}
/// The stream's place in bits from `origin`.
WJ_INLINE size_t wj_place(const wj_stream *stream, const uint8_t *origin) {
    return (size_t)(stream->in - origin) * 8 + wj_used(stream);
}

/// A stream of MCUs that begins at `in`.
wj_stream wj_stream_start(const wj_machine *machine, const uint8_t *in, uint8_t *block);
/// Whether the next code is the first of an MCU.
WJ_INLINE int wj_is_at_mcu(const wj_machine *machine, const wj_stream *stream) {
    return stream->state->base == machine->states[0];
}

/// Runs `count` streams, up to WJ_STREAMS, until one is beyond its `stop` (in its blocks) or its `end` (of its bytes), or has
/// failed.
void wj_run(wj_stream *streams, int count, const uint8_t *const *stop, const uint8_t *const *end);
/// Decodes up to `block`, exactly, by single steps. Returns 0 if that fails or goes beyond `limit` of the bytes.
int wj_finish(wj_stream *stream, const uint8_t *block, const uint8_t *limit);

#endif
