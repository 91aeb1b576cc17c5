#include "CStartup.h"

#include <stdint.h>

// libavcodec depends on libjxl and so on libhwy, which measures the processor's timer when it is loaded, for its
// benchmarks: a fifth of the time in which FFmpeg is loaded (5 of 22 ms). A program's own function takes precedence
// over that of a library (hwy::platform::TimerResolution), and answers at once.
__attribute__((visibility("default"), used)) uint64_t _ZN3hwy8platform15TimerResolutionEv(void) { return 1; }
