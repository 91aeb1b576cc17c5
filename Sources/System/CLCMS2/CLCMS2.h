// Little CMS 2, and what its macros say where Swift cannot read them.
#ifndef WR_CLCMS2_H
#define WR_CLCMS2_H

#include <lcms2.h>
#include <lcms2_plugin.h>
#include <stdlib.h>

static const cmsUInt32Number wr_format_rgb_float = TYPE_RGB_FLT;
static const cmsUInt32Number wr_format_rgb_16 = TYPE_RGB_16;
static const cmsUInt32Number wr_format_cmyk_16 = TYPE_CMYK_16;

/// No single block that a sound profile needs is near to it; a small hostile one can ask for half a gigabyte.
#define WR_LCMS_BLOCK_LIMIT (64u << 20)

static inline void *wr_lcms_malloc(cmsContext context, cmsUInt32Number size) {
    (void)context;
    return size <= WR_LCMS_BLOCK_LIMIT ? malloc(size) : NULL;
}

static inline void *wr_lcms_realloc(cmsContext context, void *block, cmsUInt32Number size) {
    (void)context;
    return size <= WR_LCMS_BLOCK_LIMIT ? realloc(block, size) : NULL;
}

static inline void wr_lcms_free(cmsContext context, void *block) {
    (void)context;
    free(block);
}

/// A context whose blocks are limited. Errors are told by return values alone: nothing is printed.
static inline cmsContext wr_lcms_context(void) {
    static cmsPluginMemHandler memory = {
        .base = {cmsPluginMagicNumber, LCMS_VERSION, cmsPluginMemHandlerSig, NULL},
        .MallocPtr = wr_lcms_malloc,
        .FreePtr = wr_lcms_free,
        .ReallocPtr = wr_lcms_realloc,
    };
    return cmsCreateContext(&memory, NULL);
}

#endif
