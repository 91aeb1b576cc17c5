// Makes the programs start faster. Only programs are linked with it, never the library.
#ifndef CSTARTUP_H
#define CSTARTUP_H
#endif
