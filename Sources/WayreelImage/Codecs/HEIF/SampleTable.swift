internal import WayreelCore

/// Locations and sync samples of a track (ISO/IEC 14496-12, sections 8.6 and 8.7).
struct SampleTable {
    let count: Int
    private let file: UnsafeRawBufferPointer
    /// The `stsz` payload, and the common size of all samples if there is one.
    private let sizes: UnsafeRawBufferPointer
    private let commonSize: Int
    private let chunks: [Chunk]
    /// The `stts` and `ctts` payloads.
    private let durations: UnsafeRawBufferPointer
    private let compositionOffsets: UnsafeRawBufferPointer
    /// Indices of sync samples, from 0; nil if all are.
    private let syncSamples: [Int]?

    /// Consecutive samples in the file.
    private struct Chunk {
        let first: Int
        let offset: Int
    }

    /// Max number of chunks read from a track.
    private static let maxChunks = 1 << 20

    /// Reads the `stbl` payload `table`; nil if it is invalid.
    init?(_ table: UnsafeRawBufferPointer, file: UnsafeRawBufferPointer) {
        self.file = file
        sizes = ISOBox.first("stsz", in: table)
        var header = ByteCursor(sizes)
        header.skip(4)
        commonSize = header.read(4)
        count = header.read(4)
        // No sample is empty.
        guard !header.isPastEnd, count > 0, count <= file.count, commonSize > 0 || (sizes.count - 12) / 4 >= count
        else { return nil }
        chunks = Self.chunks(table, samples: count)
        durations = ISOBox.first("stts", in: table)
        compositionOffsets = ISOBox.first("ctts", in: table)
        syncSamples = Self.syncSamples(ISOBox.first("stss", in: table))
        guard chunks.first != nil else { return nil }
    }

    private static func chunks(_ table: UnsafeRawBufferPointer, samples: Int) -> [Chunk] {
        let (short, long) = (ISOBox.first("stco", in: table), ISOBox.first("co64", in: table))
        let (offsets, width) = short.isEmpty ? (long, 8) : (short, 4)
        var cursor = ByteCursor(offsets)
        cursor.skip(4)
        let chunkCount = min(cursor.read(4), max(0, offsets.count - 8) / width, maxChunks)
        var runs = ByteCursor(ISOBox.first("stsc", in: table))
        runs.skip(4)
        var runsLeft = runs.read(4)
        var (perChunk, nextRun) = (0, 0)
        func readRun() {
            nextRun = runsLeft > 0 ? runs.read(4) : .max
            runsLeft -= 1
        }
        readRun()
        var (chunks, first): ([Chunk], Int) = ([], 0)
        for number in 1...max(1, chunkCount) where chunkCount > 0 && first < samples {
            while number >= nextRun, !runs.isPastEnd {
                perChunk = runs.read(4)
                runs.skip(4)
                readRun()
            }
            chunks.append(Chunk(first: first, offset: cursor.read(width)))
            first = min(first + perChunk, samples)
        }
        return chunks
    }

    private static func syncSamples(_ box: UnsafeRawBufferPointer) -> [Int]? {
        guard box.count >= 8 else { return nil }
        var cursor = ByteCursor(box)
        cursor.skip(4)
        return (0..<min(cursor.read(4), box.count / 4 - 2)).map { _ in cursor.read(4) - 1 }
    }

    /// Returns the samples needed to decode frame `index` in display order, in decoding order; the frame is the last
    /// one.
    ///
    /// Starts at a sync sample that is shown no later: samples shown before it may depend on earlier ones.
    func needed(for index: Int) -> ClosedRange<Int> {
        let times = displayTimes()
        let sample = times.map { times in times.indices.sorted { (times[$0], $0) < (times[$1], $1) }[index] } ?? index
        guard let syncSamples else { return sample...sample }
        let first = syncSamples.last { start in
            (0...sample).contains(start) && (times.map { $0[start] <= $0[sample] } ?? true)
        }
        return (first ?? 0)...sample
    }

    /// Returns the display time of each sample (`stts` and `ctts`); nil if samples are stored in display order.
    private func displayTimes() -> [Int]? {
        guard !compositionOffsets.isEmpty else { return nil }
        var times: [Int] = []
        times.reserveCapacity(count)
        var (durations, compositionOffsets) = (Runs(durations), Runs(compositionOffsets))
        var time = 0
        for _ in 0..<count {
            // Offsets are signed in newer files; in older ones they are small.
            times.append(time &+ Int(Int32(truncatingIfNeeded: compositionOffsets.next())))
            time &+= durations.next()
        }
        return times
    }

    /// Returns the bytes of sample `index` that are in the file.
    func data(of index: Int) -> UnsafeRawBufferPointer {
        let chunk = chunks.last { $0.first <= index } ?? chunks[0]
        var offset = chunk.offset
        for sample in chunk.first..<max(index, chunk.first) {
            let (next, overflow) = offset.addingReportingOverflow(size(of: sample))
            offset = overflow ? .max : next
        }
        return UnsafeRawBufferPointer(rebasing: file.dropFirst(offset).prefix(size(of: index)))
    }

    private func size(of index: Int) -> Int {
        commonSize > 0 ? commonSize : Int(sizes.bigEndian32(at: 12 + 4 * index))
    }
}

/// Values of a run-length table: sample count and value; zeros after its end.
private struct Runs {
    private var cursor: ByteCursor
    private var runs: Int
    private var left = 0
    private var value = 0

    init(_ box: UnsafeRawBufferPointer) {
        cursor = ByteCursor(box)
        cursor.skip(4)
        runs = cursor.read(4)
    }

    mutating func next() -> Int {
        while left == 0, runs > 0, !cursor.isPastEnd {
            (left, value) = (cursor.read(4), cursor.read(4))
            runs -= 1
        }
        guard left > 0 else { return 0 }
        left -= 1
        return value
    }
}
