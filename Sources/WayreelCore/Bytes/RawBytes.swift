/// Reads numbers from the bytes of a file. The caller checks every offset against `count`.
extension UnsafeRawBufferPointer {
    @inlinable package func littleEndian16(at offset: Int) -> UInt16 {
        UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inlinable package func bigEndian16(at offset: Int) -> UInt16 {
        UInt16(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inlinable package func littleEndian32(at offset: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    @inlinable package func littleEndian64(at offset: Int) -> UInt64 {
        UInt64(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    @inlinable package func bigEndian32(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// A big-endian number of up to eight bytes.
    @inlinable package func bigEndian(at offset: Int, count: Int) -> UInt64 {
        self[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether `pattern` is at `offset`; false past the end.
    @inlinable package func matches(_ pattern: some Collection<UInt8>, at offset: Int) -> Bool {
        offset >= 0 && offset + pattern.count <= count && self[offset..<offset + pattern.count].elementsEqual(pattern)
    }
}
