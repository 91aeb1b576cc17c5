#ifndef WR_CXML_H
#define WR_CXML_H

#include <stdbool.h>
#include <stddef.h>

/// Loads libxml2 once. Returns NULL on success, otherwise the reason. Must be called before any other function of this
/// header.
const char *xml_load(void);

/// An attribute of a start tag. The value is not NUL-terminated.
typedef struct {
    const char *name;
    const char *value;
    size_t value_length;
} cxml_attribute;

/// The place at which a tag begins: its offset in bytes from the start of the document, and its line, counted from 1.
typedef struct {
    size_t offset;
    int line;
} cxml_place;

/// Receives a document in reading order. A callback that returns false ends the parsing.
typedef struct {
    void *user;
    /// `space` is the namespace, or NULL.
    bool (*start)(void *user, const char *name, const char *space, const cxml_attribute *attributes, int count, cxml_place place);
    bool (*end)(void *user);
    bool (*text)(void *user, const char *bytes, size_t count);
    /// The document type declaration begins, which Wayreel rejects.
    bool (*doctype)(void *user, cxml_place place);
    /// A comment begins in this line, counted from 1. May be NULL.
    void (*comment)(void *user, int line);
    /// The document is not well-formed. `line` and `column` count from 1.
    void (*error)(void *user, const char *message, int line, int column);
} cxml_handler;

/// Parses a document. It loads no DTD, substitutes only the predefined entities, and opens no file and no URL. Returns
/// whether the document is well-formed and no callback has ended the parsing.
bool cxml_parse(const char *bytes, size_t count, const cxml_handler *handler);

/// Writes up to `room` bytes to `bytes`. Returns their number, 0 at the end, or -1 if they cannot be read, which ends
/// the parsing.
typedef int (*cxml_source)(void *user, char *bytes, int room);

/// Like cxml_parse, for a document that is read in pieces: only the piece being parsed is in memory. `source` receives
/// the handler's user.
bool cxml_parse_pieces(cxml_source source, const cxml_handler *handler);

#endif
