// libjpeg's error handler, converted to a message and a jump back into the shim.
#ifndef WR_JPEG_TRAP_H
#define WR_JPEG_TRAP_H

#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>

typedef struct {
    struct jpeg_error_mgr base;  // first, so that libjpeg's pointer to it is a pointer to this
    jmp_buf back;
    char message[JMSG_LENGTH_MAX];
} wr_jpeg_trap;

/// Installs the handlers. Calls into libjpeg must follow `setjmp(trap->back)` in the same function.
struct jpeg_error_mgr *wr_jpeg_trap_set(wr_jpeg_trap *trap);

#endif
