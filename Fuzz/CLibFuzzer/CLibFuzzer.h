// libFuzzer as a library (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library"), which comes without a header.
#ifndef CLIBFUZZER_H
#define CLIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

/// Runs `body` with inputs according to the command line. Returns the exit status, or ends the process at a finding.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*body)(const uint8_t *data, size_t size));

#endif
