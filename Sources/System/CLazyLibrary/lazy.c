#include "CLazyLibrary.h"

#include <dlfcn.h>
#include <stdio.h>

const char *wr_lazy_open(const char *const *names, const char *const *symbols, void **slots, int count) {
    void *library = NULL;
    for (const char *const *name = names; *name && !library; name++) library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    for (int i = 0; i < count; i++)
        if (!(slots[i] = dlsym(library, symbols[i]))) return dlerror();
    return NULL;
}
