#include "CXML.h"

#include "CLazyLibrary.h"

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdlib.h>
#include <string.h>

#define XML_FUNCTIONS(F) \
    F(xmlCreateIOParserCtxt) \
    F(xmlCreateMemoryParserCtxt) \
    F(xmlCtxtUseOptions) \
    F(xmlFreeDoc) \
    F(xmlFreeParserCtxt) \
    F(xmlParseDocument) \
    F(xmlStopParser)

WR_LAZY_LIBRARY(xml, XML_FUNCTIONS, "libxml2.so.2")

typedef struct {
    const cxml_handler *handler;
    xmlParserCtxtPtr context;
    bool is_stopped;
} parsing;

/// The place of the `<` of the tag that was just parsed: a well-formed tag cannot contain another `<`.
static cxml_place tag_place(xmlParserCtxtPtr context) {
    xmlParserInputPtr input = context->input;
    if (!input) return (cxml_place){0, 1};
    const xmlChar *cursor = input->cur;
    int line = input->line;
    while (cursor > input->base && *cursor != '<') {
        cursor--;
        if (*cursor == '\n') line--;
    }
    return (cxml_place){input->consumed + (size_t)(cursor - input->base), line};
}

static void stop_unless(bool goes_on, parsing *p) {
    if (goes_on || p->is_stopped) return;
    p->is_stopped = true;
    xmlStopParser(p->context);
}

// Whether an attribute says where an editor finds the schema (XML Schema, part 1, section 2.6.3): any document may have it.
static bool is_schema_hint(const xmlChar *name, const xmlChar *uri) {
    if (!uri || strcmp((const char *)uri, "http://www.w3.org/2001/XMLSchema-instance") != 0) return false;
    return strcmp((const char *)name, "schemaLocation") == 0 || strcmp((const char *)name, "noNamespaceSchemaLocation") == 0;
}

static void start_element(
    void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespace_count,
    const xmlChar **namespaces, int attribute_count, int defaulted_count, const xmlChar **attributes) {
    parsing *p = user;
    if (p->is_stopped) return;
    cxml_attribute few[32];
    cxml_attribute *list = attribute_count <= 32 ? few : malloc((size_t)attribute_count * sizeof *list);
    if (!list) return stop_unless(false, p);
    // Each attribute has five pointers: name, prefix, namespace, value, end of the value.
    int count = 0;
    for (int i = 0; i < attribute_count; i++) {
        const xmlChar **attribute = attributes + 5 * i;
        if (is_schema_hint(attribute[0], attribute[2])) continue;
        list[count].name = (const char *)attribute[0];
        list[count].value = (const char *)attribute[3];
        list[count++].value_length = (size_t)(attribute[4] - attribute[3]);
    }
    stop_unless(
        p->handler->start(
            p->handler->user, (const char *)name, (const char *)uri, list, count, tag_place(p->context)),
        p);
    if (list != few) free(list);
}

static void end_element(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    parsing *p = user;
    if (!p->is_stopped) stop_unless(p->handler->end(p->handler->user), p);
}

static void characters(void *user, const xmlChar *bytes, int count) {
    parsing *p = user;
    if (!p->is_stopped) stop_unless(p->handler->text(p->handler->user, (const char *)bytes, (size_t)count), p);
}

static void doctype(void *user, const xmlChar *name, const xmlChar *external, const xmlChar *system) {
    parsing *p = user;
    if (!p->is_stopped) stop_unless(p->handler->doctype(p->handler->user, tag_place(p->context)), p);
}

static void comment(void *user, const xmlChar *text) {
    parsing *p = user;
    if (p->is_stopped || !p->handler->comment || !p->context->input) return;
    int line = p->context->input->line;
    for (const xmlChar *c = text; *c; c++) line -= *c == '\n';
    p->handler->comment(p->handler->user, line);
}

static void parse_error(void *user, xmlErrorPtr error) {
    parsing *p = user;
    if (p->is_stopped) return;
    p->handler->error(p->handler->user, error->message ? error->message : "", error->line, error->int2);
}

/// Predefined entities are substituted; others cannot be declared, as a document type declaration ends the parsing.
static const int options = XML_PARSE_NONET | XML_PARSE_NOENT;

/// Parses the document of the context, and frees the context.
static bool parse(xmlParserCtxtPtr context, const cxml_handler *handler) {
    if (!context) return false;
    xmlCtxtUseOptions(context, options);
    parsing p = {handler, context, false};
    xmlSAXHandler sax;
    memset(&sax, 0, sizeof sax);
    sax.initialized = XML_SAX2_MAGIC;
    sax.startElementNs = start_element;
    sax.endElementNs = end_element;
    sax.characters = characters;
    sax.ignorableWhitespace = characters;
    sax.cdataBlock = characters;
    sax.internalSubset = doctype;
    sax.comment = comment;
    sax.serror = parse_error;
    xmlSAXHandlerPtr own = context->sax;
    context->sax = &sax;
    context->userData = &p;
    xmlParseDocument(context);
    bool is_whole = context->wellFormed && !p.is_stopped;
    context->sax = own;
    if (context->myDoc) xmlFreeDoc(context->myDoc);
    context->myDoc = NULL;
    xmlFreeParserCtxt(context);
    return is_whole;
}

bool cxml_parse(const char *bytes, size_t count, const cxml_handler *handler) {
    return count <= 0x7FFFFFFF && parse(xmlCreateMemoryParserCtxt(bytes, (int)count), handler);
}

bool cxml_parse_pieces(cxml_source source, const cxml_handler *handler) {
    return parse(
        xmlCreateIOParserCtxt(NULL, NULL, source, NULL, handler->user, XML_CHAR_ENCODING_NONE), handler);
}
