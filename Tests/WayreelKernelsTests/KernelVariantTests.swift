import KernelVariants
import TestSupport
import Testing

/// The variants of each kernel for newer processors, compared with the baseline: the same bits on random data, in
/// awkward sizes.
@Suite struct KernelVariantTests {
    private static let counts = [1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 255, 257, 1000, 1999, 2000]

    /// Random operands of one run.
    private final class Operands {
        let pointer: OpaquePointer

        init(seed: UInt32) throws { pointer = try #require(kernel_operands_make(seed)) }

        deinit { kernel_operands_free(pointer) }
    }

    @Test(arguments: 0..<kernel_count())
    func leaveTheSameBits(kernel: Int) throws {
        let name = String(cString: kernel_name(kernel))
        var changes = false
        for seed in UInt32(1)...4 {
            let operands = try Operands(seed: seed)
            let plain = try Operands(seed: seed), variant = try Operands(seed: seed)
            for count in Self.counts {
                kernel_operands_copy(plain.pointer, operands.pointer)
                kernel_run(kernel, 0, plain.pointer, count)
                changes = changes || kernel_operands_equal(plain.pointer, operands.pointer) == 0
                for index in 1..<max(1, kernel_variants()) {
                    kernel_operands_copy(variant.pointer, operands.pointer)
                    kernel_run(kernel, index, variant.pointer, count)
                    #expect(
                        kernel_operands_equal(plain.pointer, variant.pointer) != 0,
                        "\(name), variant \(index), \(count) values, seed \(seed)")
                }
            }
        }
        #expect(changes, "\(name) does nothing")
    }

    /// The header's functions are either compared here or have no compiler-generated variants.
    @Test func noKernelIsLeftOut() throws {
        let header = String(
            decoding: try Fixture.bytes("\(Fixture.root)/Sources/WayreelKernels/include/WayreelKernels.h"),
            as: UTF8.self)
        let declared = Set(header.matches(of: /(?m)^[a-z_0-9]+ (wr_\w+)\(/).map { String($0.1) })
        let compared = Set((0..<kernel_count()).map { String(cString: kernel_name($0)) })
        // ResamplingTests compares the kernels of resample_bytes.c, which are selected by hand-written code.
        let others: Set = [
            "wr_limit_instructions", "wr_pair_rows", "wr_resample_columns", "wr_pair_pixels", "wr_interleave_rows",
            "wr_resample_rows", "wr_look_up_bytes", "wr_look_up_words", "wr_begin_integer_levels",
            "wr_begin_float_levels", "wr_integer_reading", "wr_float_reading", "wr_similarity_windows",
            "wr_power_spectrum", "wr_spread_bands",
        ]
        #expect(declared == compared.union(others))
    }
}
