#ifndef WR_CPANGO_H
#define WR_CPANGO_H

#include <cairo-pdf.h>
#include <pango/pangocairo.h>
#include <pango/pangofc-font.h>
#include <pango/pangofc-fontmap.h>

#endif
