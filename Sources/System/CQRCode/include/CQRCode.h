#ifndef WR_CQRCODE_H
#define WR_CQRCODE_H

#include <qrencode.h>

/// Loads libqrencode once. Returns NULL on success, otherwise the reason. Must be called before any of its functions.
const char *cqrcode_load(void);

#endif
