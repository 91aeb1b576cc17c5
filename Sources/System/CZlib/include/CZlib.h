#pragma once

#include <stddef.h>

/// The most bytes that `czlib_gzip` makes of `count`.
size_t czlib_gzip_bound(size_t count);

/// Compresses `count` bytes as gzip (RFC 1952), level 6, without a time or a name, into at most `capacity` bytes. Returns their number,
/// or 0 where they do not fit or memory is short.
size_t czlib_gzip(const void *bytes, size_t count, void *output, size_t capacity);
