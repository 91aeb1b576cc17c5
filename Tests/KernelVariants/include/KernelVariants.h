// Runs each kernel in each of its variants over the same memory, so that a test can compare what they leave there.
#ifndef KERNEL_VARIANTS_H
#define KERNEL_VARIANTS_H

#include <stddef.h>

/// The variants that this processor can run. Variant 0 is the plain one.
size_t kernel_variants(void);

/// The kernels that have variants.
size_t kernel_count(void);
const char *kernel_name(size_t kernel);

/// The largest `count` of ``kernel_run``.
#define KERNEL_MAX_COUNT 2000

/// The operands of one run: bytes, integers and floats, in the ranges that the kernels are made for.
typedef struct kernel_operands kernel_operands;
/// Random operands, the same for the same seed. NULL without memory.
kernel_operands *kernel_operands_make(unsigned seed);
void kernel_operands_copy(kernel_operands *to, const kernel_operands *from);
/// Whether the bytes are the same, results included.
int kernel_operands_equal(const kernel_operands *a, const kernel_operands *b);
void kernel_operands_free(kernel_operands *operands);

/// Runs a variant of a kernel over `count` values, 1 to KERNEL_MAX_COUNT.
void kernel_run(size_t kernel, size_t variant, kernel_operands *operands, size_t count);

#endif
