internal import Glibc
package import WayreelCore

/// Readings as they come: rows of one value a column, handed back in order.
///
/// Holds about a megabyte in memory and the rest in a file without a name, which is gone with the log or the process.
/// Once the last row is in, it may be read by several threads at once.
package final class LevelLog: @unchecked Sendable {
    /// A stretch of up to 4096 rows.
    package struct Run {
        package let rowCount: Int
        private let block: UnsafePointer<Float>
        private let rowsPerBlock: Int

        fileprivate init(_ block: UnsafePointer<Float>, rowCount: Int, rowsPerBlock: Int) {
            self.block = block
            self.rowCount = rowCount
            self.rowsPerBlock = rowsPerBlock
        }

        /// The values of one column, one a row; valid during the call that hands the run out.
        package func column(_ index: Int) -> UnsafeBufferPointer<Float> {
            UnsafeBufferPointer(start: block + index * rowsPerBlock, count: rowCount)
        }
    }

    package let columnCount: Int
    package var rowCount: Int { count }
    private var count = 0

    /// A block holds so many rows, column after column.
    let rowsPerBlock: Int
    private let valuesPerBlock: Int
    /// The first blocks, all full.
    private var kept: [UnsafeMutablePointer<Float>] = []
    /// The one that is being filled.
    private var open: UnsafeMutablePointer<Float>
    /// Those between the two; nil before there are any.
    private var file: SpoolFile?
    private var isInMemory = false
    private static let bytesInMemory = 1 << 20

    package init(columnCount: Int) {
        self.columnCount = columnCount
        rowsPerBlock = min(max(Self.bytesInMemory / (4 * max(columnCount, 1)), 1), 4096)
        valuesPerBlock = rowsPerBlock * columnCount
        open = .allocate(capacity: valuesPerBlock)
    }

    deinit {
        for block in kept + [open] { block.deallocate() }
    }

    /// Adds a row, which has a value for each column. Must not be called any more once the log is shared.
    ///
    /// Throws an `io` error where a file has been made for the rows, but does not take them: the disk is full.
    package func append(_ row: [Float]) throws(MediaError) {
        precondition(row.count == columnCount, "a value for each column")
        let first = nextRow()
        for column in 0..<columnCount { first[column * rowsPerBlock] = row[column] }
        try endRow()
    }

    /// Where the first value of the next row is to be put; those that follow are ``rowsPerBlock`` apart.
    func nextRow() -> UnsafeMutablePointer<Float> { open + count % rowsPerBlock }

    /// Adds the row that has been put where ``nextRow()`` said. Throws as ``append(_:)`` does.
    func endRow() throws(MediaError) {
        count += 1
        if count % rowsPerBlock == 0 { try putAway() }
    }

    /// Makes room for the next rows.
    private func putAway() throws(MediaError) {
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

    /// Hands out all rows in order.
    ///
    /// Throws what `body` throws, and an `io` error where rows that were put on disk cannot be read back.
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
