import FoundationEssentials
import Testing
import Wayreel

/// Tasks and reports as JSON, as a queue or a server hands them on.
@Suite struct CodingTests {
    private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    private func everythingSet() throws -> CaptureTask {
        CaptureTask(
            input: "in.jpg", output: "out.webp",
            options: CaptureOptions(
                framing: Framing(
                    screen: PixelSize(width: 960, height: 640), fit: .contain, gravity: .northEast, turnsScreen: false,
                    enlarges: true, inLinearLight: true),
                filters: [
                    .sepiaTone(intensity: 0.8), Filter("gaussian-blur", ["radius": "4%"]),
                    Filter("false-color", ["color0": "#102030", "color1": [1, 0.9, 0.8]]),
                ],
                overlays: [
                    .text(
                        try TextOverlay(
                            "The Mission Bell\nمرحبا 🎈", style: "size=6%,outline=#000/2,box=#0008/12,gravity=north")
                    ),
                    .image(try ImageOverlay(parsing: "badge.png@north-east+16+16:scale=0.5")),
                ],
                encoding: Encoding(
                    .webp, quality: 71, bits: 8, lossless: true, maxBytes: 200_000, metadata: .copyright),
                limits: Limits(pixels: 1, inputBytes: 2, seconds: 0.5, frames: 4), tolerance: .warning))
    }

    @Test func tasksComeBackAsTheyWere() throws {
        let full = try everythingSet()
        #expect(try roundTrip(full) == full)
        let plain = CaptureTask(input: "-", output: "-")
        #expect(try roundTrip(plain) == plain)
    }

    @Test func everyChoiceComesBack() throws {
        for fit in Fit.allCases { #expect(try roundTrip(fit) == fit) }
        for gravity in Gravity.allCases { #expect(try roundTrip(gravity) == gravity) }
        for format in Encoding.Format.allCases { #expect(try roundTrip(format) == format) }
        for tolerance in DamageTolerance.allCases { #expect(try roundTrip(tolerance) == tolerance) }
        for filter in FilterCatalog.all where filter.parameters.allSatisfy({ $0.defaultValue != nil }) {
            let arguments = filter.parameters.map { ($0.key, $0.defaultValue!) }
            let written = Filter(filter.name, Dictionary(uniqueKeysWithValues: arguments))
            #expect(try roundTrip(written) == written)
        }
    }

    @Test func reportsComeBackWithTheirErrors() throws {
        let pipeline = try CapturePipeline(CaptureOptions())
        let report = try roundTrip(pipeline.run(CaptureTask(input: "missing\n.jpg", output: "-")))
        #expect(report.status == .failed && report.error?.kind == .io && report.input.path == "missing\n.jpg")
        #expect(report.error?.description == "missing\\n.jpg: read: no such file or directory")
    }
}
