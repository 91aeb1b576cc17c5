#include "CRSVG.h"

#include "CLazyLibrary.h"

#include <stdio.h>

// From librsvg/rsvg.h of version 2.46 or later, which itself needs the headers of GIO and GdkPixbuf.
typedef struct RsvgHandle RsvgHandle;
typedef struct {
    double x, y, width, height;
} RsvgRectangle;
typedef struct {
    unsigned domain;
    int code;
    char *message;
} GError;

RsvgHandle *rsvg_handle_new_from_data(const unsigned char *data, size_t count, GError **error);
int rsvg_handle_render_document(RsvgHandle *handle, void *context, const RsvgRectangle *viewport, GError **error);
void g_clear_error(GError **error);
void rsvg_handle_free(RsvgHandle *handle);

// The functions of GLib are resolved through librsvg, which depends on it. `rsvg_handle_free` is g_object_unref by another
// name, which Pango's list has.
#define RSVG_FUNCTIONS(F) \
    F(g_clear_error) \
    F(rsvg_handle_free) \
    F(rsvg_handle_new_from_data) \
    F(rsvg_handle_render_document)

WR_LAZY_LIBRARY(rsvg, RSVG_FUNCTIONS, "librsvg-2.so.2")

int crsvg_draw(
    const unsigned char *bytes, size_t count, void *context, double width, double height, char message[CRSVG_MESSAGE]) {
    GError *error = NULL;
    RsvgHandle *handle = rsvg_handle_new_from_data(bytes, count, &error);
    const RsvgRectangle viewport = {0, 0, width, height};
    const int is_drawn = handle && rsvg_handle_render_document(handle, context, &viewport, &error);
    if (!is_drawn) snprintf(message, CRSVG_MESSAGE, "%s", error && error->message ? error->message : "no reason is given");
    g_clear_error(&error);
    if (handle) rsvg_handle_free(handle);
    return is_drawn;
}
