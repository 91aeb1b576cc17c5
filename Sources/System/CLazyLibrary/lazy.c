#include "CLazyLibrary.h"

#include <dlfcn.h>
#include <string.h>

// The linker's message is thread-local; it is copied for all threads.
static const char *failure(void) {
    const char *reason = dlerror();
    const char *kept = reason ? strdup(reason) : NULL;
    return kept ? kept : "the dynamic linker gave no reason";
}

const char *wr_lazy_open(const char *const *names, const char *const *symbols, void **slots, int count) {
    void *library = NULL;
    for (const char *const *name = names; *name && !library; name++) library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return failure();
    for (int i = 0; i < count; i++)
        if (!(slots[i] = dlsym(library, symbols[i]))) return failure();
    return NULL;
}
