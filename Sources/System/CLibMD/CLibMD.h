#ifndef WR_CLIBMD_H
#define WR_CLIBMD_H

#include <sha2.h>

#endif
