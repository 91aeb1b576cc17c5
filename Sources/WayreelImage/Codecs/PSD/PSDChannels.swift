internal import WayreelCore

/// Where the rows of each channel of a merged image stand.
struct PSDChannels {
    /// Bytes of a row of one channel, unpacked.
    let rowBytes: Int
    private let height: Int
    private let isPacked: Bool
    /// Of each row of each channel that is used, and the end of the last; in order.
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
        // Rows begin after the table of their lengths, which covers the unused channels too.
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

    /// Whether all channels of row `y` are there in full.
    func hasRow(_ y: Int) -> Bool {
        Swift.stride(from: y, to: offsets.count - 1, by: height).allSatisfy { offsets[$0 + 1] <= end }
    }

    /// The share of rows that lack a channel.
    var missingShare: Double {
        let missing = (0..<height).count { !hasRow($0) }
        return Double(missing) / Double(height)
    }

    /// Unpacks row `y` of a channel; what a broken row lacks is 0.
    func read(row y: Int, channel: Int, from bytes: UnsafeRawBufferPointer, into samples: inout [UInt8]) {
        let index = channel * height + y
        let data = UnsafeRawBufferPointer(rebasing: bytes[offsets[index]..<offsets[index + 1]])
        samples.withUnsafeMutableBytes { samples in
            guard isPacked else { return samples.copyMemory(from: data) }
            let count = Self.unpack(data, into: samples)
            for i in count..<samples.count { samples[i] = 0 }
        }
    }

    /// PackBits (TIFF 6.0, section 9): a count of literal bytes, or a byte to repeat. Returns how many bytes came out.
    private static func unpack(_ data: UnsafeRawBufferPointer, into samples: UnsafeMutableRawBufferPointer) -> Int {
        var (place, written) = (0, 0)
        while place < data.count, written < samples.count {
            let code = Int(Int8(bitPattern: data[place]))
            place += 1
            if code == -128 { continue }
            let room = samples.count - written
            if code >= 0 {
                let count = min(code + 1, room, data.count - place)
                for i in 0..<count { samples[written + i] = data[place + i] }
                place += code + 1
                written += count
            } else {
                guard place < data.count else { break }
                let count = min(1 - code, room)
                for i in 0..<count { samples[written + i] = data[place] }
                place += 1
                written += count
            }
        }
        return written
    }
}
