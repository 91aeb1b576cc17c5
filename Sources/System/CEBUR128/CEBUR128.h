#ifndef WR_CEBUR128_H
#define WR_CEBUR128_H

#include <ebur128.h>

#endif
