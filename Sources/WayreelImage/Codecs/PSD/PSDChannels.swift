internal import WayreelCore

/// Row offsets of each channel of a merged image.
struct PSDChannels {
    /// Bytes per uncompressed channel row.
    let rowBytes: Int
    private let height: Int
    private let isPacked: Bool
    /// Offset of each row of each used channel, and the end of the last; in order.
    private let offsets: [Int]
    private let end: Int

    init(_ file: PSDFile, _ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        rowBytes = (file.size.width * file.depth + 7) / 8
        height = file.size.height
        isPacked = file.isPacked
        end = bytes.count
        let rows = file.usedChannels * height
        guard file.isPacked else {
            let perRow = rowBytes
            offsets = (0...rows).map { file.image + $0 * perRow }
            return
        }
        // Rows follow the table of row lengths, which includes unused channels.
        let lengthBytes = file.isLarge ? 4 : 2
        let table = file.channels * height * lengthBytes
        guard table <= bytes.count - file.image else { throw PSDFile.fault("the file ends before its image") }
        var offset = file.image + table
        var offsets = [offset]
        offsets.reserveCapacity(rows + 1)
        for row in 0..<rows {
            offset += Int(bytes.bigEndian(at: file.image + row * lengthBytes, count: lengthBytes))
            offsets.append(offset)
        }
        self.offsets = offsets
    }

    /// Returns whether row `y` of all channels is complete.
    func hasRow(_ y: Int) -> Bool {
        Swift.stride(from: y, to: offsets.count - 1, by: height).allSatisfy { offsets[$0 + 1] <= end }
    }

    /// The fraction of rows with an incomplete channel.
    var missingShare: Double {
        let missing = (0..<height).count { !hasRow($0) }
        return Double(missing) / Double(height)
    }

    /// Decompresses row `y` of a channel; missing samples are 0.
    func read(row y: Int, channel: Int, from bytes: UnsafeRawBufferPointer, into samples: inout [UInt8]) {
        let index = channel * height + y
        let data = UnsafeRawBufferPointer(rebasing: bytes[offsets[index]..<offsets[index + 1]])
        samples.withUnsafeMutableBytes { samples in
            guard isPacked else { return samples.copyMemory(from: data) }
            let count = Self.unpack(data, into: samples)
            for i in count..<samples.count { samples[i] = 0 }
        }
    }

    /// PackBits (TIFF 6.0, section 9): literal runs and repeated bytes. Returns the output size.
    private static func unpack(_ data: UnsafeRawBufferPointer, into samples: UnsafeMutableRawBufferPointer) -> Int {
        var (offset, written) = (0, 0)
        while offset < data.count, written < samples.count {
            let code = Int(Int8(bitPattern: data[offset]))
            offset += 1
            if code == -128 { continue }
            let room = samples.count - written
            if code >= 0 {
                let count = min(code + 1, room, data.count - offset)
                for i in 0..<count { samples[written + i] = data[offset + i] }
                offset += code + 1
                written += count
            } else {
                guard offset < data.count else { break }
                let count = min(1 - code, room)
                for i in 0..<count { samples[written + i] = data[offset] }
                offset += 1
                written += count
            }
        }
        return written
    }
}
