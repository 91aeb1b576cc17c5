internal import CLibFuzzer

// Feeds what libFuzzer makes up to one of the readers of untrusted input: `WayreelFuzz TARGET OPTIONS… SEEDS`. Errors are expected;
// crashes, hangs and too much memory are the findings. Built and run by `make fuzz`.

// Without the name of the target, as libFuzzer takes them.
var arguments = CommandLine.unsafeArgv + 1
var position: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = arguments
var count = CommandLine.argc - 1
let status = LLVMFuzzerRunDriver(&count, &position) { data, size in
    FuzzTarget.chosen.run(UnsafeRawBufferPointer(start: data, count: size))
    return 0
}
guard status == 0 else { preconditionFailure("libFuzzer ended with \(status)") }
