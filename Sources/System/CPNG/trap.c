#include "trap.h"

#include <stdio.h>

void wr_png_trap_fail(png_structp png, png_const_charp message) {
    wr_png_trap *trap = png_get_error_ptr(png);
    snprintf(trap->message, sizeof trap->message, "%s", message);
    png_longjmp(png, 1);
}

void wr_png_trap_ignore(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}
