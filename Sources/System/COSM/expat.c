#include "COSM.h"

#include <expat.h>

#include "CLazyLibrary.h"

// The functions that libosmium's reader of XML calls.
#define EXPAT_FUNCTIONS(F)                                                                              \
    F(XML_ErrorString) F(XML_GetCurrentColumnNumber) F(XML_GetCurrentLineNumber) F(XML_GetErrorCode)    \
    F(XML_Parse) F(XML_ParserCreate) F(XML_ParserFree) F(XML_SetCharacterDataHandler)                   \
    F(XML_SetElementHandler) F(XML_SetEntityDeclHandler) F(XML_SetUserData) F(XML_StopParser)

WR_LAZY_LIBRARY(wr_expat, EXPAT_FUNCTIONS, "libexpat.so.1")
