// libpng's errors, converted to a message and a jump back into the shim.
#ifndef WR_PNG_TRAP_H
#define WR_PNG_TRAP_H

#include "CPNG.h"

#include <png.h>

typedef struct {
    char message[CPNG_MESSAGE];
} wr_png_trap;

/// libpng's error handler, for a structure whose error pointer is a wr_png_trap. Calls into libpng must follow
/// `setjmp(png_jmpbuf(png))` in the same function.
void wr_png_trap_fail(png_structp png, png_const_charp message);

/// Ignores libpng's warnings: their subjects are ancillary or checked elsewhere.
void wr_png_trap_ignore(png_structp png, png_const_charp message);

#endif
