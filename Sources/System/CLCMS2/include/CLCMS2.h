// Little CMS 2, with macros that Swift cannot import.
#ifndef WR_CLCMS2_H
#define WR_CLCMS2_H

#include <lcms2.h>
#include <lcms2_plugin.h>

/// Loads Little CMS once. Returns NULL on success, otherwise the reason. Must be called before its functions and
/// ``wr_lcms_context``.
const char *lcms2_load(void);

static const cmsUInt32Number wr_format_grey_float = TYPE_GRAY_FLT;
static const cmsUInt32Number wr_format_rgb_float = TYPE_RGB_FLT;
static const cmsUInt32Number wr_format_rgb_16 = TYPE_RGB_16;
static const cmsUInt32Number wr_format_cmyk_16 = TYPE_CMYK_16;

/// A context with limited block sizes. Errors are only reported by return values.
cmsContext wr_lcms_context(void);

#endif
