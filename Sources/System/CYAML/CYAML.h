#ifndef WR_CYAML_H
#define WR_CYAML_H

#include <yaml.h>

#endif
