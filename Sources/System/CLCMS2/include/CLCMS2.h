// Little CMS 2, and what its macros say where Swift cannot read them.
#ifndef WR_CLCMS2_H
#define WR_CLCMS2_H

#include <lcms2.h>
#include <lcms2_plugin.h>

/// Loads Little CMS, once. NULL on success, else the reason. No function of Little CMS, nor ``wr_lcms_context``, may be called before.
const char *lcms2_load(void);

static const cmsUInt32Number wr_format_rgb_float = TYPE_RGB_FLT;
static const cmsUInt32Number wr_format_rgb_16 = TYPE_RGB_16;
static const cmsUInt32Number wr_format_cmyk_16 = TYPE_CMYK_16;

/// A context whose blocks are limited. Errors are told by return values alone: nothing is printed.
cmsContext wr_lcms_context(void);

#endif
