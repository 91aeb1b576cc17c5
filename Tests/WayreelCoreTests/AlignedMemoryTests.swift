import Testing
import WayreelCore

@Suite struct AlignedMemoryTests {
    @Test(arguments: [0, 1, 63, 64, 1000])
    func isAlignedAndZeroed(byteCount: Int) throws {
        let memory = try AlignedMemory(zeroed: byteCount, step: .decode)
        #expect(UInt(bitPattern: memory.base) % 64 == 0 && memory.byteCount == byteCount)
        #expect(UnsafeRawBufferPointer(start: memory.base, count: byteCount).allSatisfy { $0 == 0 })
    }

    @Test(arguments: [1 << 60, Int.max / 8, Int.max])
    func throwsWhereThereIsNoMemory(count: Int) throws {
        let error = #expect(throws: MediaError.self) { try AlignedMemory(Double.self, count: count, step: .filter) }
        #expect(error?.kind == .limit && error?.step == .filter)
    }
}
