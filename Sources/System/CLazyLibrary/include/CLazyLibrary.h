// Loads functions of a shared library on first use instead of at program start.
//
// A target lists the functions it calls, once, in an X-macro:
//
//     #define EXAMPLE_FUNCTIONS(F) F(example_open) F(example_close)
//     WR_LAZY_LIBRARY(example, EXAMPLE_FUNCTIONS, "libexample.so.1")
//
// which defines each as a jump through a pointer, so that callers use the library's own headers and names, and `const
// char *example_load(void)`, which loads the library and sets the pointers, once, from any thread. It returns NULL on
// success, otherwise the reason, and must succeed before any function is called.
#ifndef WR_LAZY_LIBRARY_H
#define WR_LAZY_LIBRARY_H

#include <pthread.h>

/// Opens `names` (alternatives, NULL-terminated) and resolves `count` symbols into `slots`.
const char *wr_lazy_open(const char *const *names, const char *const *symbols, void **slots, int count);

/// Ends the process: `function` was called before its library, the first of `names`, was loaded.
__attribute__((noreturn, cold)) void wr_lazy_missing(const char *function, const char *const *names);

#if defined(__x86_64__)
#define WR_LAZY_JUMP(slot) "jmp *" #slot "(%rip)\n"
#define WR_LAZY_TYPE "@function"
#elif defined(__aarch64__)
#define WR_LAZY_JUMP(slot) "adrp x16, " #slot "\nldr x16, [x16, :lo12:" #slot "]\nbr x16\n"
#define WR_LAZY_TYPE "%function"
#else
#error "Wayreel's lazy loading knows x86-64 and AArch64; add a jump for this processor here."
#endif

// The functions of one list are all expanded on one line, whose number distinguishes them from those of other lists of
// the file.
#define WR_LAZY_PASTE(a, b) a##b
#define WR_LAZY_AT(name, line) WR_LAZY_PASTE(name, line)
#define WR_LAZY_NAMES WR_LAZY_AT(wr_lazy_names_, __LINE__)

#define WR_LAZY_SLOT(f)                                                                                    \
    __attribute__((noreturn, cold)) static void wr_missing_##f(void) { wr_lazy_missing(#f, WR_LAZY_NAMES); } \
    __attribute__((used, visibility("hidden"))) void *wr_slot_##f = (void *)wr_missing_##f;
#define WR_LAZY_STUB(f)                                                                                    \
    __asm__(".text\n.p2align 4\n.globl " #f "\n.hidden " #f "\n.type " #f ", " WR_LAZY_TYPE "\n" #f ":\n"  \
            WR_LAZY_JUMP(wr_slot_##f) ".size " #f ", .-" #f "\n");
#define WR_LAZY_NAME(f) #f,
#define WR_LAZY_FILL(f) wr_slot_##f = slots[i++];

#define WR_LAZY_LIBRARY(prefix, LIST, ...)                                                                 \
    static const char *const WR_LAZY_NAMES[] = {__VA_ARGS__, 0};                                           \
    LIST(WR_LAZY_SLOT)                                                                                     \
    LIST(WR_LAZY_STUB)                                                                                     \
    static const char *prefix##_failure;                                                                   \
    static void prefix##_load_once(void) {                                                                 \
        static const char *const symbols[] = {LIST(WR_LAZY_NAME) 0};                                       \
        static void *slots[sizeof symbols / sizeof *symbols];                                              \
        int i = 0;                                                                                         \
        prefix##_failure = wr_lazy_open(WR_LAZY_NAMES, symbols, slots, (int)(sizeof symbols / sizeof *symbols) - 1);\
        if (!prefix##_failure) { LIST(WR_LAZY_FILL) }                                                      \
    }                                                                                                      \
    const char *prefix##_load(void) {                                                                      \
        static pthread_once_t once = PTHREAD_ONCE_INIT;                                                    \
        pthread_once(&once, prefix##_load_once);                                                           \
        return prefix##_failure;                                                                           \
    }

#endif
