#ifndef CHEIF_H
#define CHEIF_H

#include <libheif/heif.h>

/// Loads libheif, once. NULL on success, else the reason. No function of libheif may be called before.
const char *heif_library_load(void);

#endif
