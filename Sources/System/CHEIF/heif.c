#include "CHEIF.h"
#include "CLazyLibrary.h"

#define HEIF_FUNCTIONS(F) \
    F(heif_context_alloc) \
    F(heif_context_free)

WR_LAZY_LIBRARY(heif_library, HEIF_FUNCTIONS, "libheif.so.1")
