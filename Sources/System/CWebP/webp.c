#include "CWebP.h"

#include "CLazyLibrary.h"

#define WEBP_FUNCTIONS(F) \
    F(WebPConfigInitInternal) \
    F(WebPConfigLosslessPreset) \
    F(WebPEncode) \
    F(WebPFree) \
    F(WebPGetFeaturesInternal) \
    F(WebPIDecGetRGB) \
    F(WebPIDelete) \
    F(WebPINewDecoder) \
    F(WebPIUpdate) \
    F(WebPInitDecoderConfigInternal) \
    F(WebPMemoryWrite) \
    F(WebPMemoryWriterClear) \
    F(WebPMemoryWriterInit) \
    F(WebPPictureFree) \
    F(WebPPictureImportRGB) \
    F(WebPPictureImportRGBA) \
    F(WebPPictureImportRGBX) \
    F(WebPPictureInitInternal)

#define WEBP_DEMUX_FUNCTIONS(F) \
    F(WebPDemuxDelete) \
    F(WebPDemuxGetChunk) \
    F(WebPDemuxGetFrame) \
    F(WebPDemuxGetI) \
    F(WebPDemuxInternal) \
    F(WebPDemuxReleaseChunkIterator) \
    F(WebPDemuxReleaseIterator)

#define WEBP_MUX_FUNCTIONS(F) \
    F(WebPMuxAssemble) \
    F(WebPMuxDelete) \
    F(WebPMuxSetChunk) \
    F(WebPMuxSetImage) \
    F(WebPNewInternal)

WR_LAZY_LIBRARY(webp_codec, WEBP_FUNCTIONS, "libwebp.so.7")
WR_LAZY_LIBRARY(webp_demux, WEBP_DEMUX_FUNCTIONS, "libwebpdemux.so.2")
WR_LAZY_LIBRARY(webp_mux, WEBP_MUX_FUNCTIONS, "libwebpmux.so.3")

const char *webp_load(void) {
    const char *failure = webp_codec_load();
    if (!failure) failure = webp_demux_load();
    if (!failure) failure = webp_mux_load();
    return failure;
}
