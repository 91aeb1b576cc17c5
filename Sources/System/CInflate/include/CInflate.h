#pragma once

#include <stddef.h>

typedef enum {
    /// All of the input is decompressed.
    CINFLATE_DONE,
    /// The output is full, and there is more.
    CINFLATE_FULL,
    /// The input ends before its end is marked.
    CINFLATE_CUT,
    CINFLATE_DAMAGED,
    CINFLATE_NO_MEMORY,
} cinflate_status;

/// Decompresses zlib (RFC 1950) or the first member of gzip (RFC 1952), whichever the input begins with, into at most
/// `capacity` bytes. `made` is how many were made, whatever the status. Both sizes are below 2 GB.
cinflate_status cinflate(const void *bytes, size_t count, void *output, size_t capacity, size_t *made);

/// Loads zlib once, from any thread, before the first call of `cinflate`. Returns NULL, or the reason why it cannot be
/// loaded.
const char *cinflate_load(void);
