internal import Glibc
package import WayreelCore

/// Stores rows of readings in order.
///
/// Keeps about a megabyte in memory and the rest in an unnamed file (``TemporaryFolders``), which is removed with the log or
/// the process; all of it in memory if no folder is writable. Copies share that file: several threads may read them, but
/// rows are appended to one of them only.
package struct LevelLog: Sendable {
    /// A run of up to 4096 consecutive rows.
    package struct Run {
        package let rowCount: Int
        private let block: UnsafeBufferPointer<Float>
        private let rowsPerBlock: Int

        fileprivate init(_ block: UnsafeBufferPointer<Float>, rowCount: Int, rowsPerBlock: Int) {
            self.block = block
            self.rowCount = rowCount
            self.rowsPerBlock = rowsPerBlock
        }

        /// Returns the values of one column, one per row; valid during the call that receives the run.
        package func column(_ index: Int) -> UnsafeBufferPointer<Float> {
            let first = index * rowsPerBlock
            return UnsafeBufferPointer(rebasing: block[first..<first + rowCount])
        }
    }

    package let columnCount: Int
    package private(set) var rowCount = 0

    /// Rows per block; a block stores column after column.
    private let rowsPerBlock: Int
    private let valuesPerBlock: Int
    /// The first blocks, all full.
    private var kept: [[Float]] = []
    /// The block being filled.
    private var open: [Float]
    /// The file with the blocks between ``kept`` and ``open``; nil if there are none.
    private var file: SpoolFile?
    private var isInMemory = false
    private static let bytesInMemory = 1 << 20
    /// The max number of values; nil for any.
    private let maxValues: Int?

    package init(columnCount: Int, maxValues: Int? = nil) {
        self.columnCount = columnCount
        self.maxValues = maxValues
        rowsPerBlock = min(max(Self.bytesInMemory / (4 * max(columnCount, 1)), 1), 4096)
        valuesPerBlock = rowsPerBlock * columnCount
        open = Array(repeating: 0, count: valuesPerBlock)
    }

    /// Adds a row with one value per column.
    ///
    /// Throws an `io` error if the rows cannot be written to the file, for example because the disk is full, and a `limit`
    /// error if they have too many values.
    package mutating func append(_ row: [Float]) throws(MediaError) {
        precondition(row.count == columnCount, "one value per column")
        try append { first, stride in
            for column in row.indices { first[column * stride] = row[column] }
        }
    }

    /// Adds a row, whose values `write` puts at an address and every `stride` values after it. Throws the errors of
    /// ``append(_:)-([Float])``.
    mutating func append(
        _ write: (_ first: UnsafeMutablePointer<Float>, _ stride: Int) -> Void
    ) throws(MediaError) {
        let (row, stride) = (rowCount % rowsPerBlock, rowsPerBlock)
        open.withUnsafeMutableBufferPointer { block in
            if let start = block.baseAddress { write(start + row, stride) }
        }
        rowCount += 1
        if rowCount % rowsPerBlock == 0 { try putAway() }
    }

    /// Makes room for further rows.
    private mutating func putAway() throws(MediaError) {
        if let maxValues, rowCount * columnCount > maxValues {
            throw MediaError(
                .limit, step: .measure, reason: "the levels have more than \(maxValues) values",
                advice: "ask for fewer readings")
        }
        let keepsBlock = isInMemory || (kept.count + 1) * valuesPerBlock * 4 <= Self.bytesInMemory
        if !keepsBlock, file == nil {
            file = SpoolFile()
            isInMemory = file == nil
        }
        if let file {
            return try open.withBytes { (bytes) throws(MediaError) in try file.append(bytes) }
        }
        kept.append(open)
        open = Array(repeating: 0, count: valuesPerBlock)
    }

    /// Passes all rows in order.
    ///
    /// Throws the errors of `body`, and an `io` error if rows cannot be read back from the disk.
    package func forEachRun(_ body: (Run) throws(MediaError) -> Void) throws(MediaError) {
        func pass(_ block: [Float], _ rowCount: Int) throws(MediaError) {
            try block.withUnsafeBufferPointer { (values) throws(MediaError) in
                try body(Run(values, rowCount: rowCount, rowsPerBlock: rowsPerBlock))
            }
        }
        for block in kept { try pass(block, rowsPerBlock) }
        if let file {
            var block = [Float](repeating: 0, count: valuesPerBlock)
            for index in 0..<rowCount / rowsPerBlock - kept.count {
                try block.withMutableBytes { (bytes) throws(MediaError) in
                    try file.read(into: bytes, at: index * bytes.count)
                }
                try pass(block, rowsPerBlock)
            }
        }
        let rest = rowCount % rowsPerBlock
        if rest > 0 { try pass(open, rest) }
    }
}

/// An unnamed temporary file, written sequentially.
final class SpoolFile: Sendable {
    private let descriptor: Int32

    private static let step = MediaError.Step.measure
    private static let subject = "temporary file"

    /// Returns nil if no temporary folder is writable.
    init?() {
        guard let descriptor = try? TemporaryFolders.unnamedFile(step: Self.step, subject: Self.subject) else {
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    func append(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        do { try writeAll(bytes, to: descriptor) } catch { throw fault(error.code) }
    }

    /// Reads `bytes.count` bytes at `offset`.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(MediaError) {
        do throws(SystemError) {
            guard try readAll(into: bytes, from: descriptor, at: offset) == bytes.count else {
                throw SystemError(code: EIO)
            }
        } catch { throw fault(error.code) }
    }

    private func fault(_ code: Int32) -> MediaError {
        MediaError(
            .io, code: MediaError.Code(disk: code), step: Self.step, subject: Self.subject,
            reason: systemReason(code), advice: "set TMPDIR to a folder with more space")
    }
}
