#include "CQRCode.h"

#include "CLazyLibrary.h"

#define QRCODE_FUNCTIONS(F) \
    F(QRcode_encodeData) \
    F(QRcode_free)

WR_LAZY_LIBRARY(cqrcode, QRCODE_FUNCTIONS, "libqrencode.so.4")
