// Compiles a function for several generations of x86-64; the loader selects one at program start.
#ifndef WR_CLONES_H
#define WR_CLONES_H

#pragma STDC FP_CONTRACT OFF

// Sanitizers are not initialised when the selection runs, so their builds disable it.
#if defined(__x86_64__) && !defined(WR_NO_CLONES)
#define WR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define WR_CLONES
#endif

#endif
