import Glibc
import TestSupport
import Testing
import WayreelBench
import WayreelCore
import WayreelDrawing

@Suite struct ChartFilesTests {
    private func charts() throws -> [ReportChart] {
        try SampleReport([SampleReport.task("capture")]).report.charts()
    }

    private let names = ["memory", "peers-cpu", "peers-memory", "peers-wall"]

    @Test func writesAnImageOfEachChart() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/new/charts"
            try ChartFiles.write(try charts(), to: "\(path)/")
            #expect(Fixture.listing(path) == names.map { "\($0).svg" })
            let svg = try #require(SVGFile(try Fixture.bytes("\(path)/memory.svg")))
            #expect(svg.texts["title"] == "Peak memory of each task")
            #expect(svg.texts["style"] == ChartTheme.darkStyleSheet)
        }
    }

    @Test func replacesExistingFiles() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write([1], to: "\(folder)/memory.svg")
            try OutputFile.write([1], to: "\(folder)/notes.txt")
            try ChartFiles.write(try charts(), to: folder)
            #expect(SVGFile(try Fixture.bytes("\(folder)/memory.svg")) != nil)
            #expect(try Fixture.bytes("\(folder)/notes.txt") == [1])
            #expect(Fixture.listing(folder).count == names.count + 1)
        }
    }

    @Test func rejectsPlacesThatAreNoFolder() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write([1], to: "\(folder)/file")
            let paths = ["\(folder)/file", "\(folder)/file/charts", "", "a\u{0}b", "/proc/self/none"]
            for path in paths {
                let error = #expect(throws: MediaError.self) {
                    try ChartFiles.write(try charts(), to: path)
                }
                #expect(error?.kind == .io && error?.subject == path && error?.step == .charts)
            }
            #expect(Fixture.listing(folder) == ["file"])
        }
    }

    @Test func checkingCreatesNothing() throws {
        try Fixture.withFolder { folder in
            try ChartFiles.checkWritable("\(folder)/new/charts")
            #expect(Fixture.listing(folder).isEmpty)
            try OutputFile.write([1], to: "\(folder)/file")
            #expect(throws: MediaError.self) { try ChartFiles.checkWritable("\(folder)/file/charts") }
        }
    }
}
