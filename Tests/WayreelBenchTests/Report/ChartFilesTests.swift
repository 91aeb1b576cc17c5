import Glibc
import TestSupport
import Testing
import WayreelBench
import WayreelCore
import WayreelDrawing

@Suite struct ChartFilesTests {
    private let names = ["cpu-over-time", "memory-over-time"]

    private func charts() -> [(name: String, chart: any Chart)] {
        names.map { name in
            let samples = [SeriesChart.Sample(time: 1, value: 2), .init(time: 3, value: 4)]
            return (name, SeriesChart(title: name, measure: .bytes, series: [.init(name: "a", samples: samples)]))
        }
    }

    @Test func writesAnImageOfEachChart() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/new/charts"
            try ChartFiles.write(charts(), to: "\(path)/")
            #expect(Fixture.listing(path) == names.map { "\($0).svg" })
            let svg = try #require(SVGFile(try Fixture.bytes("\(path)/memory-over-time.svg")))
            #expect(svg.texts["title"] == "memory-over-time")
            #expect(svg.texts["style"] == ChartTheme.darkStyleSheet)
        }
    }

    @Test func replacesExistingFiles() throws {
        try Fixture.withFolder { folder in
            try OutputFile.write([1], to: "\(folder)/memory-over-time.svg")
            try OutputFile.write([1], to: "\(folder)/notes.txt")
            try ChartFiles.write(charts(), to: folder)
            #expect(SVGFile(try Fixture.bytes("\(folder)/memory-over-time.svg")) != nil)
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
                    try ChartFiles.write(charts(), to: path)
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
