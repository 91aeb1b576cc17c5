// Needles that follow the magnitude of samples, those of two channels side by side. Each goes on from sample to
// sample, so that it does not matter in what parts the samples come.
#include "WayreelKernels.h"

#include "clones.h"

typedef double pair __attribute__((ext_vector_type(2)));

static inline pair larger(pair a, pair b) { return a > b ? a : b; }
static inline pair smaller(pair a, pair b) { return a < b ? a : b; }

static inline pair magnitude(const float *first, const float *second, size_t i, double gain) {
    pair sample = {__builtin_fabsf(first[i]), __builtin_fabsf(second[i])};
    // Silence is not quite: no state ever becomes so small that the processor slows down.
    return larger(sample * gain, (pair){WR_NEEDLE_FLOOR, WR_NEEDLE_FLOOR});
}

typedef struct {
    pair value, age, highest;
} held_peak;

/// The largest so far; some time after it was reached it falls, until it is reached again.
static inline void hold(held_peak *held, pair value, const wr_ballistics *ballistics) {
    pair older = held->age + 1;
    pair fallen = held->value * ballistics->hold_decay;
    pair kept = older > ballistics->hold_samples ? fallen : held->value;
    held->age = value >= held->value ? (pair){0, 0} : older;
    held->value = value >= held->value ? value : kept;
    held->highest = larger(held->highest, held->value);
}

/// Defines a function that makes a step for each sample: STEP moves `a` and `b`, the needle's state, by the magnitude
/// `m`, holds what is to be held, and gives what the needle shows as `shown`.
#define FOLLOW(NAME, STEP)                                                                                       \
    WR_CLONES void NAME(                                                                                         \
        const wr_ballistics *ballistics, const float *first, const float *second, size_t count,                  \
        wr_needles *needles) {                                                                                   \
        const wr_ballistics with = *ballistics;                                                                  \
        pair a, b, highest;                                                                                      \
        held_peak held;                                                                                          \
        __builtin_memcpy(&a, needles->state[0], sizeof a);                                                       \
        __builtin_memcpy(&b, needles->state[1], sizeof b);                                                       \
        __builtin_memcpy(&highest, needles->highest, sizeof highest);                                            \
        __builtin_memcpy(&held.value, needles->held, sizeof held.value);                                         \
        __builtin_memcpy(&held.age, needles->age, sizeof held.age);                                              \
        __builtin_memcpy(&held.highest, needles->highest_held, sizeof held.highest);                             \
        for (size_t i = 0; i < count; i++) {                                                                     \
            pair m = magnitude(first, second, i, with.gain), shown;                                         \
            STEP;                                                                                                \
            highest = larger(highest, shown);                                                                    \
        }                                                                                                        \
        __builtin_memcpy(needles->state[0], &a, sizeof a);                                                       \
        __builtin_memcpy(needles->state[1], &b, sizeof b);                                                       \
        __builtin_memcpy(needles->highest, &highest, sizeof highest);                                            \
        __builtin_memcpy(needles->held, &held.value, sizeof held.value);                                         \
        __builtin_memcpy(needles->age, &held.age, sizeof held.age);                                              \
        __builtin_memcpy(needles->highest_held, &held.highest, sizeof held.highest);                             \
    }

FOLLOW(wr_follow_peak, {
    shown = a = larger(m, a * with.decay);
    hold(&held, shown, &with);
})

FOLLOW(wr_follow_quasi_peak, {
    a = m > a ? a * (1 - with.attack[0]) + m * with.attack[0] : a * with.decay;
    b = m > b ? b * (1 - with.attack[1]) + m * with.attack[1] : b * with.decay;
    shown = (a + b) * 0.5;
    hold(&held, shown, &with);
})

FOLLOW(wr_follow_power, {
    hold(&held, m, &with);
    a = a * (1 - with.attack[0]) + m * m * with.attack[0];
    b = larger(a * 2, b * with.decay);
    shown = smaller(b, held.value * held.value);
})

FOLLOW(wr_follow_mean, {
    pair speed = a * with.swing[2] + (b * with.swing[3] - m * with.swing[2]);
    shown = a = a * with.swing[0] + (b * with.swing[1] + m * (1 - with.swing[0]));
    b = speed;
    hold(&held, shown, &with);
})
