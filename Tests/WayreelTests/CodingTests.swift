import FoundationEssentials
import Testing
import Wayreel

/// Tasks and reports as JSON, as passed on by a queue or a server.
@Suite struct CodingTests {
    private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
    }

    private func everythingSet() throws -> CaptureTask {
        CaptureTask(
            input: "in.jpg", output: "out.webp",
            options: CaptureOptions(
                framing: Framing(
                    screen: PixelSize(width: 960, height: 640), scale: 1.5, fit: .contain, gravity: .northEast,
                    cropsToAttention: true, trim: 7, turnsScreen: false, enlarges: true, inLinearLight: true),
                background: .white,
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

    @Test func videoTasksRoundTripThroughJSON() throws {
        let poster = PosterOptions(
            time: 1.5, framing: Framing(screen: PixelSize(width: 9, height: 8)), encoding: Encoding(.png),
            filters: [.noir], overlays: [.text(TextOverlay("x"))], background: .white)
        let task = TranscodeTask(
            input: "in.mov", output: "out", poster: "out.jpg",
            options: TranscodeOptions(
                framing: Framing(screen: PixelSize(width: 960, height: 640), fit: .cover, gravity: .north),
                video: VideoSettings(
                    codec: .hevc, rate: .quality(.ssim(97.5)), preset: "slow", maxFrameRate: Rational(30000, 1001),
                    deinterlacing: .always, background: .white, filters: [.noir], alwaysEncodes: true),
                audio: AudioSettings(bitRate: 96_000, loudness: -16, track: 2),
                delivery: .hls(
                    HLSOptions(
                        ladder: [LadderRung(box: PixelSize(width: 640, height: 360), bitRate: 365_000)],
                        segmentSeconds: 4, isEncrypted: true, keyURI: "https://keys/1", previewInterval: nil)),
                poster: poster, isResumable: false,
                limits: VideoLimits(pixels: 1, framesPerSecond: 2, videoSeconds: 3, seconds: 4, streams: 5),
                tolerance: .warning))
        #expect(try roundTrip(task) == task)
        let plain = PosterTask(input: "-", output: "-", options: poster)
        #expect(try roundTrip(plain) == plain)
        for rate in [RateTarget.standard, .crf(20), .quality(.high), .maxBytes(1000)] {
            #expect(try roundTrip(rate) == rate)
        }
    }

    /// Enums with values have a `type`; earlier versions of Wayreel wrote Swift's own form.
    private func check<Value: Codable & Equatable>(_ value: Value, _ json: String, earlier: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == json)
        for json in [json, earlier] {
            #expect(try JSONDecoder().decode(Value.self, from: Data(json.utf8)) == value, "\(json)")
        }
    }

    @Test func casesWithValuesHaveAType() throws {
        try check(RateTarget.standard, #"{"type":"standard"}"#, earlier: #"{"standard":{}}"#)
        try check(RateTarget.crf(20), #"{"crf":20,"type":"crf"}"#, earlier: #"{"crf":{"_0":20}}"#)
        try check(
            RateTarget.quality(.ssim(97.5)), #"{"quality":{"ssim":97.5,"type":"ssim"},"type":"quality"}"#,
            earlier: #"{"quality":{"_0":{"ssim":{"_0":97.5}}}}"#)
        try check(QualityTarget.high, #"{"type":"high"}"#, earlier: #"{"high":{}}"#)
        try check(
            RateTarget.maxBytes(1000), #"{"maxBytes":1000,"type":"maxBytes"}"#, earlier: #"{"maxBytes":{"_0":1000}}"#)
        try check(TranscodeOptions.Delivery.mp4, #"{"type":"mp4"}"#, earlier: #"{"mp4":{}}"#)
        try check(
            Framing.Crop.Length.pixels(12), #"{"pixels":12,"type":"pixels"}"#, earlier: #"{"pixels":{"_0":12}}"#)
        try check(Framing.Crop.Length.share(0.1), #"{"share":0.1,"type":"share"}"#, earlier: #"{"share":{"_0":0.1}}"#)
        try check(LevelGrid.points(9), #"{"points":9,"type":"points"}"#, earlier: #"{"points":{"_0":9}}"#)
        try check(
            QualityLadder.Setting.crf(30.5), #"{"crf":30.5,"type":"crf"}"#, earlier: #"{"crf":{"_0":30.5}}"#)
        try check(QualityLadder.Setting.asPlanned, #"{"type":"asPlanned"}"#, earlier: #"{"asPlanned":{}}"#)
        try check(LevelGrid.samples(9), #"{"samples":9,"type":"samples"}"#, earlier: #"{"samples":{"_0":9}}"#)
    }

    @Test func everyEnumCaseRoundTrips() throws {
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
