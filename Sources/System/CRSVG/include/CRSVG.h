#ifndef CRSVG_H
#define CRSVG_H

#include <stddef.h>

/// Size of an error message.
#define CRSVG_MESSAGE 256

/// Loads librsvg once. Returns NULL on success, otherwise the reason. Must be called before the function below.
const char *rsvg_load(void);

/// Draws an SVG document into the rectangle from 0, 0 to `width`, `height` of a cairo context (`cairo_t *`), whose
/// libcairo librsvg shares. Returns 1 on success; otherwise 0, and `message` has the reason.
///
/// The document is given no address of its own, so that librsvg opens no other file and no address: it draws pictures
/// only from `data:` URLs.
int crsvg_draw(
    const unsigned char *bytes, size_t count, void *context, double width, double height, char message[CRSVG_MESSAGE]);

#endif
