package import WayreelCore

/// Readings as they come: rows of one value a column, handed back in order.
package final class LevelLog: @unchecked Sendable {
    /// A stretch of rows.
    package struct Run {
        package let rowCount: Int
        let columns: [UnsafeBufferPointer<Float>]

        /// The values of one column, one a row; valid during the call that hands the run out.
        package func column(_ index: Int) -> UnsafeBufferPointer<Float> { columns[index] }
    }

    package let columnCount: Int
    package private(set) var rowCount = 0
    private var columns: [[Float]]

    package init(columnCount: Int) {
        self.columnCount = columnCount
        columns = Array(repeating: [], count: columnCount)
    }

    /// Adds a row, which has a value for each column. Must not be called any more once the log is shared.
    package func append(_ row: [Float]) {
        for (column, value) in row.enumerated() { columns[column].append(value) }
        rowCount += 1
    }

    package func forEachRun(_ body: (Run) throws(MediaError) -> Void) throws(MediaError) {
        var pointers: [UnsafeBufferPointer<Float>] = []
        try handOut(0, &pointers, body)
    }

    private func handOut(
        _ column: Int, _ pointers: inout [UnsafeBufferPointer<Float>], _ body: (Run) throws(MediaError) -> Void
    ) throws(MediaError) {
        guard column < columnCount else { return try body(Run(rowCount: rowCount, columns: pointers)) }
        var failure: MediaError?
        columns[column].withUnsafeBufferPointer { buffer in
            pointers.append(buffer)
            do throws(MediaError) { try handOut(column + 1, &pointers, body) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
