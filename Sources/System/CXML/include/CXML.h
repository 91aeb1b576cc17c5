#ifndef WR_CXML_H
#define WR_CXML_H

#include <stdbool.h>
#include <stddef.h>

/// Loads libxml2, once. NULL on success, else the reason. No other function of this header may be called before.
const char *cxml_load(void);

/// An attribute of a start tag. The value is not NUL-terminated.
typedef struct {
    const char *name;
    const char *value;
    size_t value_length;
} cxml_attribute;

/// Where a tag begins: bytes from the document's first, and its line, counted from 1.
typedef struct {
    size_t offset;
    int line;
} cxml_place;

/// Receives a document in reading order.
/// A callback that returns false ends the parsing.
typedef struct {
    void *user;
    /// `space`: the namespace, or NULL.
    bool (*start)(void *user, const char *name, const char *space, const cxml_attribute *attributes, int count, cxml_place place);
    bool (*end)(void *user);
    bool (*text)(void *user, const char *bytes, size_t count);
    /// The document type declaration begins, which Wayreel refuses.
    bool (*doctype)(void *user, cxml_place place);
    /// The document is not well-formed. `line` and `column` count from 1.
    void (*error)(void *user, const char *message, int line, int column);
    /// The document violates the schema; `code` is libxml2's.
    void (*violation)(void *user, int code, const char *message, size_t offset);
} cxml_handler;

/// Parses a document. It loads no DTD, substitutes no entity but the predefined ones, and opens no file and no address.
/// Returns whether the document is well-formed and no callback has ended it.
bool cxml_parse(const char *bytes, size_t count, const cxml_handler *handler);

/// Puts up to `room` bytes at `bytes`. Returns their number, 0 at the end, -1 where they cannot be read, which ends the parsing.
typedef int (*cxml_source)(void *user, char *bytes, int room);

/// As cxml_parse, of a document that is read piece by piece: only what is being parsed is in memory. `source` receives the handler's user.
bool cxml_parse_pieces(cxml_source source, const cxml_handler *handler);

/// Checks a document against an XML Schema; `violation` is called for each violation. Returns -1 where the schema cannot be compiled or there is no memory,
/// else 0.
int cxml_validate(const char *schema, size_t schema_count, const char *bytes, size_t count, const cxml_handler *handler);

#endif
