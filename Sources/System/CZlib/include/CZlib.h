#pragma once

#include <stddef.h>

/// Returns the max output size of `czlib_gzip` for `count` bytes.
size_t czlib_gzip_bound(size_t count);

/// Compresses `count` bytes as gzip (RFC 1952), level 6, without a time or a name, into at most `capacity` bytes.
/// Returns the output size, or 0 if it does not fit or memory is exhausted.
size_t czlib_gzip(const void *bytes, size_t count, void *output, size_t capacity);
