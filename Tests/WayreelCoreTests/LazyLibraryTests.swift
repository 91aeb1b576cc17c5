import CEBUR128
import Glibc
import Testing

@Suite struct LazyLibraryTests {
    /// Calling a function of a library that is not loaded ends the process with its name, instead of jumping to address
    /// 0.
    @Test func namesAFunctionThatIsCalledBeforeItsLibraryIsLoaded() async throws {
        let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
            _ = ebur128_init(1, 48_000, 0)
        }
        let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(errors.contains("ebur128_init of libebur128.so.1 was called before the library was loaded"))
    }
}
