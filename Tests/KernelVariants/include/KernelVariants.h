// Runs each kernel in each of its variants on the same memory, so that a test can compare the results.
#ifndef KERNEL_VARIANTS_H
#define KERNEL_VARIANTS_H

#include <stddef.h>

/// Returns the number of variants that this processor can run. Variant 0 is the baseline.
size_t kernel_variants(void);

/// Returns the number of kernels that have variants.
size_t kernel_count(void);
const char *kernel_name(size_t kernel);

/// The largest `count` of ``kernel_run``.
#define KERNEL_MAX_COUNT 2000

/// The operands of one run: bytes, integers and floats, in the ranges that the kernels accept.
typedef struct kernel_operands kernel_operands;
/// Returns random operands, which are equal for equal seeds. NULL if memory is exhausted.
kernel_operands *kernel_operands_make(unsigned seed);
void kernel_operands_copy(kernel_operands *to, const kernel_operands *from);
/// Returns whether all bytes are equal, including results.
int kernel_operands_equal(const kernel_operands *a, const kernel_operands *b);
void kernel_operands_free(kernel_operands *operands);

/// Runs a variant of a kernel over `count` values, 1 to KERNEL_MAX_COUNT.
void kernel_run(size_t kernel, size_t variant, kernel_operands *operands, size_t count);

#endif
