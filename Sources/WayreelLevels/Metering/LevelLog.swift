internal import Glibc
package import WayreelCore

/// Stores rows of readings in order.
///
/// Keeps about a megabyte in memory and the rest in an unnamed file, which is removed with the log or the process.
/// After the last row, several threads may read it.
package final class LevelLog: @unchecked Sendable {
    /// A run of up to 4096 consecutive rows.
    package struct Run {
        package let rowCount: Int
        private let block: UnsafePointer<Float>
        private let rowsPerBlock: Int

        fileprivate init(_ block: UnsafePointer<Float>, rowCount: Int, rowsPerBlock: Int) {
            self.block = block
            self.rowCount = rowCount
            self.rowsPerBlock = rowsPerBlock
        }

        /// Returns the values of one column, one per row; valid during the call that receives the run.
        package func column(_ index: Int) -> UnsafeBufferPointer<Float> {
            UnsafeBufferPointer(start: block + index * rowsPerBlock, count: rowCount)
        }
    }

    package let columnCount: Int
    package var rowCount: Int { count }
    private var count = 0

    /// Rows per block; a block stores column after column.
    let rowsPerBlock: Int
    private let valuesPerBlock: Int
    /// The first blocks, all full.
    private var kept: [UnsafeMutablePointer<Float>] = []
    /// The block being filled.
    private var open: UnsafeMutablePointer<Float>
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
        open = .allocate(capacity: valuesPerBlock)
    }

    deinit {
        for block in kept + [open] { block.deallocate() }
    }

    /// Adds a row with one value per column. Must not be called once the log is shared.
    ///
    /// Throws an `io` error if the rows cannot be written to the file, for example because the disk is full, and a `limit`
    /// error if they have too many values.
    package func append(_ row: [Float]) throws(MediaError) {
        precondition(row.count == columnCount, "one value per column")
        let first = nextRow()
        for column in 0..<columnCount { first[column * rowsPerBlock] = row[column] }
        try endRow()
    }

    /// Address of the next row's first value; the following ones are ``rowsPerBlock`` apart.
    func nextRow() -> UnsafeMutablePointer<Float> { open + count % rowsPerBlock }

    /// Adds the row written to ``nextRow()``. Throws the errors of ``append(_:)``.
    func endRow() throws(MediaError) {
        count += 1
        if count % rowsPerBlock == 0 { try putAway() }
    }

    /// Makes room for further rows.
    private func putAway() throws(MediaError) {
        if let maxValues, count * columnCount > maxValues {
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
            return try file.append(UnsafeRawBufferPointer(start: open, count: valuesPerBlock * 4))
        }
        kept.append(open)
        open = .allocate(capacity: valuesPerBlock)
    }

    /// Passes all rows in order.
    ///
    /// Throws the errors of `body`, and an `io` error if rows cannot be read back from the disk.
    package func forEachRun(_ body: (Run) throws(MediaError) -> Void) throws(MediaError) {
        let fullBlocks = count / rowsPerBlock
        for block in kept { try body(Run(block, rowCount: rowsPerBlock, rowsPerBlock: rowsPerBlock)) }
        if let file {
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: valuesPerBlock)
            defer { memory.deallocate() }
            for index in 0..<fullBlocks - kept.count {
                let bytes = UnsafeMutableRawBufferPointer(start: memory, count: valuesPerBlock * 4)
                try file.read(into: bytes, at: index * bytes.count)
                try body(Run(memory, rowCount: rowsPerBlock, rowsPerBlock: rowsPerBlock))
            }
        }
        let rest = count % rowsPerBlock
        if rest > 0 { try body(Run(open, rowCount: rest, rowsPerBlock: rowsPerBlock)) }
    }
}

/// An unnamed temporary file, written sequentially.
final class SpoolFile {
    private let descriptor: Int32

    /// Returns nil if neither $TMPDIR nor /tmp is writable.
    init?() {
        let folders = [getenv("TMPDIR").map { String(cString: $0) }, "/tmp"]
        for case .some(let folder) in folders where !folder.isEmpty {
            let descriptor = open(folder, __O_TMPFILE | O_RDWR | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { continue }
            self.descriptor = descriptor
            return
        }
        return nil
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
            .io, code: MediaError.Code(disk: code), step: .measure, subject: "temporary file",
            reason: systemReason(code), advice: "set TMPDIR to a folder with more space")
    }
}
