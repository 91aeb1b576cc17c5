// Meter states that follow the magnitude of samples, two channels at a time. Each sample updates the state, so the
// result does not depend on how samples are split into calls.
#include "WayreelKernels.h"

#include "clones.h"

typedef double pair __attribute__((ext_vector_type(2)));

static inline pair larger(pair a, pair b) { return a > b ? a : b; }
static inline pair smaller(pair a, pair b) { return a < b ? a : b; }

static inline pair magnitude(const float *first, const float *second, size_t i, double gain) {
    pair sample = {__builtin_fabsf(first[i]), __builtin_fabsf(second[i])};
    // A floor instead of zero avoids denormals.
    return larger(sample * gain, (pair){WR_METER_FLOOR, WR_METER_FLOOR});
}

typedef struct {
    pair value, age, highest;
} held_peak;

/// Peak hold: the maximum, which falls after the hold time until it is reached again.
static inline void hold(held_peak *held, pair value, const wr_ballistics *ballistics) {
    pair older = held->age + 1;
    pair fallen = held->value * ballistics->hold_decay;
    pair kept = older > ballistics->hold_samples ? fallen : held->value;
    held->age = value >= held->value ? (pair){0, 0} : older;
    held->value = value >= held->value ? value : kept;
    held->highest = larger(held->highest, held->value);
}

/// Defines a function that runs STEP for each sample: STEP updates the state `a` and `b` by the magnitude `m`, updates
/// the hold, and sets the displayed value `shown`.
#define FOLLOW(NAME, STEP)                                                                                       \
    WR_CLONES void NAME(                                                                                         \
        const wr_ballistics *ballistics, const float *first, const float *second, size_t count,                  \
        wr_meter_state *states) {                                                                                \
        const wr_ballistics with = *ballistics;                                                                  \
        pair a, b, highest;                                                                                      \
        held_peak held;                                                                                          \
        __builtin_memcpy(&a, states->state[0], sizeof a);                                                        \
        __builtin_memcpy(&b, states->state[1], sizeof b);                                                        \
        __builtin_memcpy(&highest, states->highest, sizeof highest);                                             \
        __builtin_memcpy(&held.value, states->held, sizeof held.value);                                          \
        __builtin_memcpy(&held.age, states->age, sizeof held.age);                                               \
        __builtin_memcpy(&held.highest, states->highest_held, sizeof held.highest);                              \
        for (size_t i = 0; i < count; i++) {                                                                     \
            pair m = magnitude(first, second, i, with.gain), shown;                                         \
            STEP;                                                                                                \
            highest = larger(highest, shown);                                                                    \
        }                                                                                                        \
        __builtin_memcpy(states->state[0], &a, sizeof a);                                                        \
        __builtin_memcpy(states->state[1], &b, sizeof b);                                                        \
        __builtin_memcpy(states->highest, &highest, sizeof highest);                                             \
        __builtin_memcpy(states->held, &held.value, sizeof held.value);                                          \
        __builtin_memcpy(states->age, &held.age, sizeof held.age);                                               \
        __builtin_memcpy(states->highest_held, &held.highest, sizeof held.highest);                              \
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
