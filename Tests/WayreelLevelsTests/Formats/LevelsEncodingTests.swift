import Foundation
import Testing
import WayreelCore
import WayreelLevels

@Suite struct LevelsEncodingTests {
    @Test(
        arguments: [
            ("a.json", LevelsFormat.json), ("a.NDJSON", .ndjson), ("a.jsonl", .ndjson), ("x/a.csv", .csv),
            ("a.b.dat", .dat),
            ("a.png", .png), ("a.svg", .svg), ("a.mp3", nil), ("json", nil), ("-", nil),
        ] as [(String, LevelsFormat?)])
    func aFileNameStandsForAFormat(name: String, format: LevelsFormat?) {
        #expect(LevelsFormat(fileName: name) == format)
    }

    @Test(
        arguments: [
            ("audiowaveform", "a.json", LevelsFormat.audiowaveform), ("audiowaveform", "a.dat", .dat),
            ("audiowaveform", "-", .dat), ("wavesurfer", "a.json", .wavesurfer), ("JSON", "a.txt", .json),
            ("mp3", "a.mp3", nil),
        ] as [(String, String, LevelsFormat?)])
    func aNameStandsForAFormat(name: String, fileName: String, format: LevelsFormat?) {
        #expect(LevelsFormat(named: name, fileName: fileName) == format)
    }

    @Test(arguments: LevelsFormat.allCases)
    func everyFormatCanBeMeasured(format: LevelsFormat) throws {
        let encoding = LevelsEncoding(format)
        let measurement = try encoding.measurement(sampleRate: 44_100)
        #expect(measurement.grid == format.defaultGrid && measurement.channels == format.defaultChannels)
        #expect(LevelsFormat(fileName: "a.\(format.fileExtensions[0])") != nil)
        let copy = try JSONDecoder().decode(LevelsEncoding.self, from: JSONEncoder().encode(encoding))
        #expect(copy == encoding)
    }

    @Test func measuresRequestedReadings() throws {
        let audiowaveform = try LevelsEncoding(.audiowaveform, channels: .all).measurement(sampleRate: 44_100)
        #expect(audiowaveform.int16Rounding == .truncated && audiowaveform.countsEndPadding && !audiowaveform.readsRMS)
        #expect(audiowaveform.channels == .all)
        let json = try LevelsEncoding(.json, meter: .apple).measurement(sampleRate: 44_100)
        #expect(json.int16Rounding == nil && !json.countsEndPadding && json.readsRMS && json.meter == .apple)
        #expect(try !LevelsEncoding(.csv, readings: [.peak]).measurement(sampleRate: 44_100).readsRMS)
    }

    static let wrong: [(LevelsEncoding, String)] = [
        (LevelsEncoding(.csv, bits: 8), "csv has no setting 'bits'; use it with dat or audiowaveform"),
        (
            LevelsEncoding(.dat, clamp: true),
            "dat has no setting 'clamp'; use it with json or ndjson or csv or wavesurfer"
        ),
        (LevelsEncoding(.wavesurfer, height: 20), "wavesurfer has no setting 'height'; use it with soundcloud"),
        (LevelsEncoding(.dat, bits: 12), "bits 12 is out of range; use 8 or 16"),
        (LevelsEncoding(decimals: 10), "decimals 10 is out of range; use 0 to 9"),
        (LevelsEncoding(unit: .int8, decimals: 1), "decimals 1 is out of range; use 0 to 0"),
        (LevelsEncoding(.soundcloud, height: 0), "height 0 is out of range; use 1 to 32767"),
        (
            LevelsEncoding(.dat, grid: .samples(0)),
            "samples per bucket 0 is out of range; use 1 to 2147483647"
        ),
        (LevelsEncoding(grid: .points(-1)), "points -1 is out of range; use 1 to 2147483647"),
        (
            LevelsEncoding(.dat, grid: .points(9)),
            "audiowaveform's formats need a number of samples per bucket, not a number of buckets; "
                + "use grid .samples or grid .rate"
        ),
        (
            LevelsEncoding(.dat, grid: .rate(9000)),
            "9000 buckets per second at 8000 Hz; use 8000 per second or fewer"
        ),
        (
            LevelsEncoding(.dat, amplitudeScale: .factor(-1)),
            "amplitude-scale -1.0 is out of range; use 0 to 32768 or auto"
        ),
        (LevelsEncoding(readings: []), "readings must be unique and not empty; use min, max, peak, rms, meter, hold"),
        (LevelsEncoding(readings: [.hold]), "the reading 'hold' needs a meter; choose the meter"),
        (
            LevelsEncoding(.soundcloud, channels: .all),
            "soundcloud has one channel; remove the channels, or use mono"
        ),
    ]

    @Test(arguments: wrong)
    func rejectsWhatMakesNoSense(encoding: LevelsEncoding, reason: String) {
        let error = #expect(throws: MediaError.self) { try encoding.measurement(sampleRate: 8000) }
        #expect(error?.description == "encode: \(reason)")
        #expect(error?.kind == .parameter)
    }

    @Test(
        arguments: [("auto", AmplitudeScale.auto), ("1.5", .factor(1.5)), ("-1", nil), ("nan", nil), ("x", nil)]
            as [(String, AmplitudeScale?)])
    func parsesAmplitudeScales(text: String, scale: AmplitudeScale?) throws {
        #expect(AmplitudeScale(text) == scale)
        guard let scale else { return }
        #expect(try JSONDecoder().decode(AmplitudeScale.self, from: JSONEncoder().encode(scale)) == scale)
    }
}
