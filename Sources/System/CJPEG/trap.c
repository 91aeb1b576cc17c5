#include "trap.h"

static void fail(j_common_ptr info) {
    wr_jpeg_trap *trap = (wr_jpeg_trap *)info->err;
    info->err->format_message(info, trap->message);
    longjmp(trap->back, 1);
}

static void stay_silent(j_common_ptr info, int level) {
    if (level < 0) info->err->num_warnings++;
}

struct jpeg_error_mgr *wr_jpeg_trap_set(wr_jpeg_trap *trap) {
    jpeg_std_error(&trap->base);
    trap->base.error_exit = fail;
    trap->base.emit_message = stay_silent;
    return &trap->base;
}
