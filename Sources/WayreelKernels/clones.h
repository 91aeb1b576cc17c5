// Marks a function to be compiled for several generations of x86-64; the best is picked when the program starts.
#ifndef WR_CLONES_H
#define WR_CLONES_H

#pragma STDC FP_CONTRACT OFF

// The sanitizers are not up yet when the choice is made, so that builds with them do without it.
#if defined(__x86_64__) && !defined(WR_NO_CLONES)
#define WR_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define WR_CLONES
#endif

#endif
