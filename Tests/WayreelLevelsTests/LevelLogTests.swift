import Testing
import WayreelCore
import WayreelLevels

@Suite struct LevelLogTests {
    private func value(_ row: Int, _ column: Int) -> Float { Float(row % 65_536) + Float(column) / 128 }

    /// Rows on disk are read back in order and in runs of limited length, by several concurrent readers.
    @Test(arguments: [(1, 0), (1, 1), (3, 4096), (3, 4097), (4, 300_001), (320, 5000), (1, 1_500_000)])
    func rowsRoundTrip(columns: Int, rows: Int) async throws {
        var log = LevelLog(columnCount: columns)
        for row in 0..<rows { try log.append((0..<columns).map { value(row, $0) }) }
        #expect(log.rowCount == rows)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<3 {
                group.addTask { [log] in
                    var row = 0
                    var wrong = 0
                    try? log.forEachRun { (run) throws(MediaError) in
                        if run.rowCount > 4096 { wrong += 1 }
                        for column in 0..<columns {
                            for (index, value) in run.column(column).enumerated()
                            where value != self.value(row + index, column) { wrong += 1 }
                        }
                        row += run.rowCount
                    }
                    return row == rows ? wrong : -1
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(wrong == [0, 0, 0])
    }

    /// No more is written to a temporary file than was allowed.
    @Test func refusesMoreValuesThanAllowed() throws {
        var log = LevelLog(columnCount: 2, maxValues: 20_000)
        let error = #expect(throws: MediaError.self) { for _ in 0..<20_000 { try log.append([0, 0]) } }
        #expect(error?.kind == .limit && error?.reason == "the levels have more than 20000 values")
        #expect(log.rowCount < 20_000)
    }
}
