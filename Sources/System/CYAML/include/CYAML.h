#ifndef WR_CYAML_H
#define WR_CYAML_H

#include <yaml.h>

/// Loads libyaml once. Returns NULL on success, otherwise the reason. Must be called before any of its functions.
const char *yaml_load(void);

#endif
