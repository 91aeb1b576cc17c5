// Extremes and energies of samples. Kernels read pairs, as of two interleaved channels; a single channel is also read
// as pairs, and the caller merges the two halves.
#include "WayreelKernels.h"

#include "clones.h"

#define MIN(A, B) __builtin_elementwise_min(A, B)
#define MAX(A, B) __builtin_elementwise_max(A, B)

#define TOTAL(V) __builtin_reduce_add(__builtin_convertvector(V, totals))

typedef int16_t words __attribute__((vector_size(64), aligned(2)));
typedef int32_t pairs __attribute__((vector_size(64), aligned(2)));
typedef uint32_t sums __attribute__((vector_size(64)));
typedef int32_t longs __attribute__((vector_size(64), aligned(4)));
typedef uint64_t wide_sums __attribute__((vector_size(64)));
typedef uint64_t totals __attribute__((vector_size(128)));
typedef float floats __attribute__((ext_vector_type(16), aligned(4)));
typedef double doubles __attribute__((ext_vector_type(16)));

static inline void note_extremes(wr_integer_levels *levels, size_t half, int32_t low, int32_t high) {
    if (low < levels->minimum[half]) levels->minimum[half] = low;
    if (high > levels->maximum[half]) levels->maximum[half] = high;
}

static inline void add_energy(wr_integer_levels *levels, size_t half, uint64_t low, uint64_t high, int shift) {
    unsigned __int128 energy = (unsigned __int128)levels->energy[half].high << 64 | levels->energy[half].low;
    energy += low + ((unsigned __int128)high << shift);
    levels->energy[half].low = (uint64_t)energy;
    levels->energy[half].high = (uint64_t)(energy >> 64);
}

void wr_begin_integer_levels(wr_integer_levels *levels) {
    *levels = (wr_integer_levels){.minimum = {INT32_MAX, INT32_MAX}, .maximum = {INT32_MIN, INT32_MIN}};
}

void wr_begin_float_levels(wr_float_levels *levels) {
    *levels = (wr_float_levels){
        .minimum = {__builtin_inff(), __builtin_inff()}, .maximum = {-__builtin_inff(), -__builtin_inff()}};
}

// Lanes of even and odd indices.
#define EVEN16(V) __builtin_shufflevector(V, V, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD16(V) __builtin_shufflevector(V, V, 1, 3, 5, 7, 9, 11, 13, 15)
#define EVEN32(V) __builtin_shufflevector(V, V, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD32(V) __builtin_shufflevector(V, V, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)

// MARK: 16 bits

enum { words_per_step = 64, most_word_steps = 65536 };

WR_CLONES void wr_levels_s16(const int16_t *samples, size_t count, wr_integer_levels *levels) {
    size_t i = 0;
    while (count - i >= words_per_step) {
        size_t steps = (count - i) / words_per_step;
        if (steps > most_word_steps) steps = most_word_steps;
        words low = *(const words *)(samples + i), high = low;
        // Sums of squares modulo 2³², and of their upper 16 bits. The difference is the sum of the lower 16 bits, which
        // does not exceed 32 bits in this number of steps.
        sums even_sum = {0}, even_high = {0}, odd_sum = {0}, odd_high = {0};
        for (size_t step = 0; step < steps; step++, i += words_per_step) {
            words a = *(const words *)(samples + i), b = *(const words *)(samples + i + words_per_step / 2);
            low = MIN(low, MIN(a, b));
            high = MAX(high, MAX(a, b));
            pairs even_a = (pairs)a << 16 >> 16, odd_a = (pairs)a >> 16;
            pairs even_b = (pairs)b << 16 >> 16, odd_b = (pairs)b >> 16;
            sums even = (sums)(even_a * even_a) + (sums)(even_b * even_b);
            sums odd = (sums)(odd_a * odd_a) + (sums)(odd_b * odd_b);
            even_sum += even;
            even_high += even >> 16;
            odd_sum += odd;
            odd_high += odd >> 16;
        }
        note_extremes(levels, 0, __builtin_reduce_min(EVEN32(low)), __builtin_reduce_max(EVEN32(high)));
        note_extremes(levels, 1, __builtin_reduce_min(ODD32(low)), __builtin_reduce_max(ODD32(high)));
        add_energy(levels, 0, TOTAL(even_sum - (even_high << 16)), TOTAL(even_high), 16);
        add_energy(levels, 1, TOTAL(odd_sum - (odd_high << 16)), TOTAL(odd_high), 16);
    }
    uint64_t rest[2] = {0};
    for (; i < count; i++) {
        note_extremes(levels, i & 1, samples[i], samples[i]);
        rest[i & 1] += (uint64_t)(samples[i] * samples[i]);
    }
    add_energy(levels, 0, rest[0], 0, 0);
    add_energy(levels, 1, rest[1], 0, 0);
}

// MARK: 32 bits

enum { longs_per_step = 16, most_long_steps = 1 << 28 };

WR_CLONES void wr_levels_s32(const int32_t *samples, size_t count, wr_integer_levels *levels) {
    size_t i = 0;
    while (count - i >= longs_per_step) {
        size_t steps = (count - i) / longs_per_step;
        if (steps > most_long_steps) steps = most_long_steps;
        longs low = *(const longs *)(samples + i), high = low;
        // As above, with 64-bit squares in halves of 32; the sum of all lanes stays below 64 bits.
        wide_sums even_sum = {0}, even_high = {0}, odd_sum = {0}, odd_high = {0};
        for (size_t step = 0; step < steps; step++, i += longs_per_step) {
            longs value = *(const longs *)(samples + i);
            low = MIN(low, value);
            high = MAX(high, value);
            // The magnitude of the lowest number is 2³¹, which unsigned lanes can hold.
            longs sign = value >> 31;
            wide_sums magnitudes = (wide_sums)((value ^ sign) - sign);
            wide_sums even = magnitudes & 0xFFFFFFFF, odd = magnitudes >> 32;
            even *= even;
            odd *= odd;
            even_sum += even;
            even_high += even >> 32;
            odd_sum += odd;
            odd_high += odd >> 32;
        }
        note_extremes(levels, 0, __builtin_reduce_min(EVEN16(low)), __builtin_reduce_max(EVEN16(high)));
        note_extremes(levels, 1, __builtin_reduce_min(ODD16(low)), __builtin_reduce_max(ODD16(high)));
        uint64_t even_low = __builtin_reduce_add(even_sum - (even_high << 32));
        uint64_t odd_low = __builtin_reduce_add(odd_sum - (odd_high << 32));
        add_energy(levels, 0, even_low, __builtin_reduce_add(even_high), 32);
        add_energy(levels, 1, odd_low, __builtin_reduce_add(odd_high), 32);
    }
    for (; i < count; i++) {
        note_extremes(levels, i & 1, samples[i], samples[i]);
        add_energy(levels, i & 1, (uint64_t)((int64_t)samples[i] * samples[i]), 0, 0);
    }
}

// MARK: Floats

enum { floats_per_vector = WR_ENERGY_LANES };

static inline void note_float(wr_float_levels *levels, float value) {
    size_t half = levels->lane & 1;
    if (value < levels->minimum[half]) levels->minimum[half] = value;
    if (value > levels->maximum[half]) levels->maximum[half] = value;
    levels->energy[levels->lane] += (double)value * (double)value;
    levels->lane = (levels->lane + 1) % floats_per_vector;
}

WR_CLONES void wr_levels_f32(const float *samples, size_t count, wr_float_levels *levels) {
    // A sample is added to the lane of its index in the whole stream, so that sums do not depend on the calls.
    size_t i = 0;
    for (; i < count && levels->lane != 0; i++) note_float(levels, samples[i]);
    if (count - i >= floats_per_vector) {
        floats low = *(const floats *)(samples + i), high = low;
        doubles energy;
        __builtin_memcpy(&energy, levels->energy, sizeof energy);
        for (; count - i >= floats_per_vector; i += floats_per_vector) {
            floats value = *(const floats *)(samples + i);
            low = value < low ? value : low;
            high = value > high ? value : high;
            doubles wide = __builtin_convertvector(value, doubles);
            energy += wide * wide;
        }
        __builtin_memcpy(levels->energy, &energy, sizeof energy);
        for (size_t lane = 0; lane < floats_per_vector; lane++) {
            float *minimum = &levels->minimum[lane & 1], *maximum = &levels->maximum[lane & 1];
            *minimum = low[lane] < *minimum ? low[lane] : *minimum;
            *maximum = high[lane] > *maximum ? high[lane] : *maximum;
        }
    }
    for (; i < count; i++) note_float(levels, samples[i]);
}

// MARK: Readings

wr_levels wr_integer_reading(const wr_integer_levels *levels, enum wr_halves halves, double full_scale) {
    int32_t low = INT32_MAX, high = INT32_MIN;
    unsigned __int128 energy = 0;
    for (size_t half = 0; half < 2; half++) {
        if (!(halves & 1 << half)) continue;
        low = MIN(low, levels->minimum[half]);
        high = MAX(high, levels->maximum[half]);
        energy += (unsigned __int128)levels->energy[half].high << 64 | levels->energy[half].low;
    }
    return (wr_levels){
        .minimum = (float)(low / full_scale),
        .maximum = (float)(high / full_scale),
        .energy = (double)energy / (full_scale * full_scale)};
}

wr_levels wr_float_reading(const wr_float_levels *levels, enum wr_halves halves) {
    wr_levels reading = {.minimum = __builtin_inff(), .maximum = -__builtin_inff()};
    for (size_t half = 0; half < 2; half++) {
        if (!(halves & 1 << half)) continue;
        reading.minimum = MIN(reading.minimum, levels->minimum[half]);
        reading.maximum = MAX(reading.maximum, levels->maximum[half]);
        for (size_t lane = half; lane < floats_per_vector; lane += 2) reading.energy += levels->energy[lane];
    }
    return reading;
}
