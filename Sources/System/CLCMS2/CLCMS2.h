#ifndef WR_CLCMS2_H
#define WR_CLCMS2_H

#include <lcms2.h>

#endif
