#define _GNU_SOURCE  // dl_iterate_phdr
#include "CLazyLibrary.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The linker's message is thread-local; it is copied for all threads.
static const char *failure(void) {
    const char *reason = dlerror();
    const char *kept = reason ? strdup(reason) : NULL;
    return kept ? kept : "the dynamic linker gave no reason";
}

static int count_object(struct dl_phdr_info *object, size_t size, void *count) {
    (void)object, (void)size;
    ++*(int *)count;
    return 0;
}

// Unmaps the pages before the first writable segment, which the linker does not write to; they are read from the page
// cache again when used. One call for all of them, and none for small libraries: other processors wait for each.
static int release_object(struct dl_phdr_info *object, size_t size, void *skipped) {
    enum { smallest = 1 << 17 };
    (void)size;
    if ((*(int *)skipped)-- > 0) return 0;
    uintptr_t start = 0, end = 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD) continue;
        if (segment->p_flags & PF_W) break;
        if (!end) start = (object->dlpi_addr + segment->p_vaddr) & -(uintptr_t)sysconf(_SC_PAGESIZE);
        end = object->dlpi_addr + segment->p_vaddr + segment->p_filesz;
    }
    if (end - start >= smallest) madvise((void *)start, end - start, MADV_DONTNEED);
    return 0;
}

// Linking libavcodec reads symbol tables of more than a hundred libraries, 10 MB that are not used again.
static void *open_library(const char *name) {
    int loaded = 0;
    dl_iterate_phdr(count_object, &loaded);
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    // New objects are at the end of the list.
    if (library) dl_iterate_phdr(release_object, &loaded);
    return library;
}

const char *wr_lazy_open(const char *const *names, const char *const *symbols, void **slots, int count) {
    void *library = NULL;
    for (const char *const *name = names; *name && !library; name++) library = open_library(*name);
    if (!library) return failure();
    for (int i = 0; i < count; i++)
        if (!(slots[i] = dlsym(library, symbols[i]))) return failure();
    return NULL;
}

void wr_lazy_missing(const char *function, const char *const *names) {
    fprintf(stderr, "%s of %s was called before the library was loaded\n", function, names[0]);
    abort();
}
