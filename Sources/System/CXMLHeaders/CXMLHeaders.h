#ifndef WR_CXML_HEADERS_H
#define WR_CXML_HEADERS_H

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlschemas.h>

#endif
