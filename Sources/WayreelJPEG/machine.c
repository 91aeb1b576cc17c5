// Builds the tables and states of the machine, and runs it.

#include "machine.h"

/// The value of `size` bits (T.81, figure F.12).
static int16_t extended(int bits, int size) {
    return (int16_t)(size && bits < 1 << (size - 1) ? bits - (1 << size) + 1 : bits);
}

// MARK: Tables

_Static_assert(sizeof(wj_state) == 32 && WJ_STATES <= 2048, "wj_step");

static wj_entry semi(int size, int advance, int length) {
    return wj_entry_make(WJ_SEMI + size * WJ_SEMI_POSITIONS + advance, 0, length);
}

/// The states that a symbol advances by.
static int advance_of(int symbol, int is_dc) {
    int run = symbol >> 4, size = symbol & 15;
    if (is_dc) return 1;
    if (size) return run + 1;
    return run ? 16 : WJ_EOB;
}

/// Fills a table for the codes that begin with `prefix` ones, without these. `other` is for all other indices.
static void fill(wj_entry *table, int index_bits, int prefix, const wj_huffman *huffman, int is_dc, wj_entry other) {
    for (int i = 0; i < 1 << index_bits; i++) table[i] = other;
    uint32_t code = 0;
    int symbol_index = 0;
    for (int length = 1; length <= index_bits + prefix; length++, code <<= 1) {
        for (int i = 0; i < huffman->counts[length]; i++, symbol_index++, code++) {
            int rest = length - prefix;
            if (prefix && (rest <= 0 || code >> rest != (1u << prefix) - 1)) continue;
            int symbol = huffman->symbols[symbol_index], size = symbol & 15, advance = advance_of(symbol, is_dc);
            wj_entry *entry = table + ((size_t)(code & ((1u << rest) - 1)) << (index_bits - rest));
            if (rest + size > index_bits) {
                for (int r = 0; r < 1 << (index_bits - rest); r++) *entry++ = semi(size, advance, rest);
                continue;
            }
            for (int bits = 0; bits < 1 << size; bits++) {
                wj_entry value = wj_entry_make(advance, extended(bits, size), rest + size);
                for (int r = 0; r < 1 << (index_bits - rest - size); r++) *entry++ = value;
            }
        }
    }
}

int wj_long_prefix(const wj_huffman *huffman, int index_bits) {
    uint32_t code = 0;
    int ones = 0, is_long = 0;
    for (int length = 1; length <= index_bits; length++) code = (code << 1) + huffman->counts[length];
    for (int length = index_bits + 1; length <= 16; length++) is_long |= huffman->counts[length];
    while (ones < index_bits && (code >> (index_bits - 1 - ones) & 1)) ones++;
    return !is_long ? 0 : ones >= 16 - WJ_REST_BITS ? ones : -1;
}

/// Fills the table of a Huffman table and that for the rest of its long codes. Returns the ones that these begin with, or 0.
static int fill_both(wj_entry *table, wj_entry *rest, int index_bits, const wj_huffman *huffman, int is_dc) {
    // No code: beyond the end of the block from any position.
    const wj_entry none = wj_entry_make(WJ_FULL + 1, 0, 0);
    int prefix = wj_long_prefix(huffman, index_bits);
    fill(table, index_bits, 0, huffman, is_dc, prefix ? wj_entry_make(WJ_LONG, 0, prefix) : none);
    if (prefix) fill(rest, 16 - prefix, prefix, huffman, is_dc, none);
    return prefix;
}

/// The ones that the long codes of each table begin with.
typedef struct {
    int dc[4], ac[4];
} prefixes;

static void build_tables(wj_machine *machine, const wj_frame *frame, prefixes *prefixes) {
    for (int c = 0; c < frame->component_count; c++) {
        int dc = frame->components[c].dc, ac = frame->components[c].ac;
        prefixes->dc[dc] = fill_both(machine->dc[dc], machine->dc_rest[dc], WJ_DC_BITS, &frame->dc[dc], 1);
        prefixes->ac[ac] = fill_both(machine->ac[ac], machine->ac_rest[ac], WJ_AC_BITS, &frame->ac[ac], 0);
    }
    for (int size = 1; size < 12; size++)
        for (int bits = 0; bits < 1 << size; bits++)
            machine->bits[(1 << size) + bits] = wj_entry_make(0, extended(bits, size), size);
}

// MARK: States

static void build_block(
    wj_machine *machine, const wj_frame *frame, int block, const wj_block_format *format, const prefixes *prefixes) {
    int c = machine->component_of_block[block], next_c = machine->component_of_block[(block + 1) % machine->block_count];
    const wj_component *component = &frame->components[c];
    const wj_entry *next_dc = machine->dc[frame->components[next_c].dc];
    wj_state *states = machine->states[block], *next = machine->states[(block + 1) % machine->block_count];
    uint16_t bytes = (uint16_t)(2 * format->size);
    const wj_state failed = machine->failed;
    for (int i = 0; i < WJ_STATES; i++) states[i] = failed;
    uint8_t at_position[65];
    at_position[0] = (uint8_t)bytes;
    for (int k = 1; k <= 64; k++) {
        int place = wj_natural_order[k - 1], x = place & 7, y = place >> 3;
        at_position[k] = (uint8_t)(x < format->scale && y < format->scale ? 2 * (y * format->pitch + x) : bytes);
    }
    for (int k = 0; k < 64; k++) {
        states[k] = (wj_state){
            .table = k ? machine->ac[component->ac] : machine->dc[component->dc],
            .base = states + k,
            .shift = 64 - (k ? WJ_AC_BITS : WJ_DC_BITS),
            .slot = at_position[k],
        };
        int prefix = k ? prefixes->ac[component->ac] : prefixes->dc[component->dc];
        if (prefix)
            states[WJ_LONG + k] = (wj_state){
                .table = k ? machine->ac_rest[component->ac] : machine->dc_rest[component->dc], .base = states + k,
                .shift = (uint8_t)(64 - (16 - prefix)), .slot = (uint8_t)bytes,
            };
    }
    for (int k = WJ_FULL; k < WJ_EOB + 64; k++) {
        if (k > WJ_FULL && k <= WJ_EOB) continue;
        states[k] = (wj_state){
            .table = next_dc, .base = next, .next_block = bytes, .shift = 64 - WJ_DC_BITS,
            .slot = k == WJ_FULL ? at_position[64] : (uint8_t)bytes,
        };
    }
    for (int size = 1; size < 12; size++)
        for (int k = 1; k <= 64; k++)
            states[WJ_SEMI + size * WJ_SEMI_POSITIONS + k] = (wj_state){
                .table = machine->bits + (1 << size), .base = states + k, .shift = (uint8_t)(64 - size),
                .slot = (uint8_t)bytes,
            };
}

void wj_machine_build(wj_machine *machine, const wj_frame *frame, const wj_block_format formats[WJ_COMPONENTS_MAX]) {
    static const wj_entry still[2];
    machine->failed = (wj_state){.table = still, .base = &machine->failed, .shift = 63, .has_failed = 1};
    machine->frame = frame;
    machine->block_count = 0;
    machine->mcu_bytes = machine->tail_bytes = 0;
    for (int c = 0; c < frame->component_count; c++)
        for (int i = 0; i < frame->components[c].h * frame->components[c].v; i++) {
            machine->component_of_block[machine->block_count++] = (uint8_t)c;
            machine->mcu_bytes += 2 * (size_t)formats[c].size;
        }
    prefixes prefixes = {0};
    build_tables(machine, frame, &prefixes);
    for (int block = 0; block < machine->block_count; block++) {
        int c = machine->component_of_block[block];
        build_block(machine, frame, block, &formats[c], &prefixes);
    }
    for (int i = 0; i < 3; i++) {
        int block = machine->block_count - 1 - i % machine->block_count;
        machine->tail_bytes += 2 * (size_t)formats[machine->component_of_block[block]].size;
    }
}

// MARK: Running

wj_stream wj_stream_start(const wj_machine *machine, const uint8_t *in, uint8_t *block) {
    return (wj_stream){wj_load(in), in, machine->states[0], block};
}

#define EACH1(DO) DO(0)
#define EACH2(DO) DO(0) DO(1)
#define EACH3(DO) DO(0) DO(1) DO(2)
#define EACH4(DO) DO(0) DO(1) DO(2) DO(3)
#define EACH5(DO) DO(0) DO(1) DO(2) DO(3) DO(4)

#define ENTER(i)                \
    wj_stream s##i = streams[i]; \
    const uint8_t *const stop##i = stop[i], *const end##i = end[i];
#define LEAVE(i) streams[i] = s##i;
#define TEST(i)                                                                     \
    if (WJ_UNLIKELY(s##i.block > stop##i || s##i.in > end##i || s##i.state->has_failed)) \
        break;
#define REFILL(i) wj_refill(&s##i);
#define STEP(i) wj_step(&s##i);

// Five steps use 55 bits at most: a step uses those of an index, or the eleven of a DC difference.
#define RUN(NAME, EACH)                                                                                               \
    static __attribute__((noinline)) void NAME(                                                                       \
        wj_stream *streams, const uint8_t *const *stop, const uint8_t *const *end) {                                  \
        EACH(ENTER)                                                                                                   \
        for (;;) {                                                                                                    \
            EACH(TEST)                                                                                                \
            EACH(REFILL) EACH(STEP) EACH(STEP) EACH(STEP) EACH(STEP) EACH(STEP)                                       \
        }                                                                                                             \
        EACH(LEAVE)                                                                                                   \
    }

RUN(run1, EACH1)
RUN(run2, EACH2)
RUN(run3, EACH3)
RUN(run4, EACH4)
#if WJ_STREAMS > 4
RUN(run5, EACH5)
#endif

void wj_run(wj_stream *streams, int count, const uint8_t *const *stop, const uint8_t *const *end) {
    switch (count) {
    case 1: return run1(streams, stop, end);
    case 2: return run2(streams, stop, end);
    case 3: return run3(streams, stop, end);
    case 4: return run4(streams, stop, end);
#if WJ_STREAMS > 4
    case 5: return run5(streams, stop, end);
#endif
    }
}

int wj_finish(wj_stream *stream, const uint8_t *block, const uint8_t *limit) {
    wj_stream s = *stream;
    while (s.block < block && s.in <= limit && !s.state->has_failed) {
        wj_refill(&s);
        wj_step(&s);
    }
    *stream = s;
    return s.block == block && s.in <= limit && !s.state->has_failed;
}
