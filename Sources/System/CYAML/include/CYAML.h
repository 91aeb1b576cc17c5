#ifndef WR_CYAML_H
#define WR_CYAML_H

#include <yaml.h>

/// Loads libyaml, once. NULL on success, else the reason. No function of libyaml may be called before.
const char *yaml_load(void);

#endif
