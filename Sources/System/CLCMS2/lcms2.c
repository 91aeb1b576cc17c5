#include "CLCMS2.h"

#include <stdlib.h>

#include "CLazyLibrary.h"

#define LCMS2_FUNCTIONS(F) \
    F(cmsCloseProfile) \
    F(cmsCreateContext) \
    F(cmsCreateTransformTHR) \
    F(cmsCreate_sRGBProfileTHR) \
    F(cmsDeleteContext) \
    F(cmsDeleteTransform) \
    F(cmsDoTransform) \
    F(cmsEvalToneCurveFloat) \
    F(cmsGetColorSpace) \
    F(cmsGetDeviceClass) \
    F(cmsGetPCS) \
    F(cmsGetProfileInfo) \
    F(cmsIsTag) \
    F(cmsOpenProfileFromMemTHR) \
    F(cmsReadTag) \
    F(cmsWriteTag)

WR_LAZY_LIBRARY(lcms2, LCMS2_FUNCTIONS, "liblcms2.so.2")

/// Far above any block of a valid profile; a small hostile one can request half a gigabyte.
#define BLOCK_LIMIT (64u << 20)

static void *allocate(cmsContext context, cmsUInt32Number size) {
    (void)context;
    return size <= BLOCK_LIMIT ? malloc(size) : NULL;
}

static void *resize(cmsContext context, void *block, cmsUInt32Number size) {
    (void)context;
    return size <= BLOCK_LIMIT ? realloc(block, size) : NULL;
}

static void release(cmsContext context, void *block) {
    (void)context;
    free(block);
}

cmsContext wr_lcms_context(void) {
    static cmsPluginMemHandler memory = {
        .base = {cmsPluginMagicNumber, LCMS_VERSION, cmsPluginMemHandlerSig, NULL},
        .MallocPtr = allocate,
        .FreePtr = release,
        .ReallocPtr = resize,
    };
    return cmsCreateContext(&memory, NULL);
}
