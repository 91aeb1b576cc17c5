import FoundationEssentials
import Testing
import WayreelCore
import WayreelImage
import WayreelVideo

/// A change, and a word of the resulting message.
struct Change<Value>: Sendable {
    let kind: MediaError.Kind
    let word: String
    let apply: @Sendable (inout Value) -> Void

    init(_ word: String, _ kind: MediaError.Kind = .parameter, apply: @escaping @Sendable (inout Value) -> Void) {
        self.word = word
        self.kind = kind
        self.apply = apply
    }
}

/// Plans of synthetic files.
@Suite struct PlannerTests {
    /// Properties that every phone can play: 720p, H.264 High, AAC.
    static func info(_ change: (inout MediaInfo) -> Void = { _ in }) -> MediaInfo {
        var video = MediaStream(index: 0, kind: .video, codec: "h264", isDefault: true)
        video.profile = "High"
        video.level = 31
        video.seconds = 10
        video.bitRate = 2_000_000
        video.videoProperties = VideoProperties(
            size: PixelSize(width: 1280, height: 720), pixelFormat: "yuv420p", frameRate: 30,
            frameRateMode: .constant, keyFrameInterval: 2)
        var audio = MediaStream(index: 1, kind: .audio, codec: "aac", isDefault: true)
        audio.profile = "LC"
        audio.bitRate = 128_000
        audio.seconds = 10
        audio.format = AudioFormat(sampleRate: 44_100, channels: [.left, .right])
        var info = MediaInfo(
            container: "mov,mp4,m4a,3gp,3g2,mj2", seconds: 10, bytes: 2_700_000, streams: [video, audio])
        change(&info)
        return info
    }

    private func plan(
        _ options: TranscodeOptions = TranscodeOptions(), _ change: (inout MediaInfo) -> Void = { _ in }
    ) throws -> TranscodePlan {
        try TranscodePlan(of: Self.info(change), options)
    }

    @Test func whatEveryPhonePlaysIsTakenOver() throws {
        let plan = try plan()
        #expect(plan.video?.action == .copy && plan.video?.renditions == [])
        #expect(plan.defaultAudio?.action == .copy)
        #expect(plan.dropped.isEmpty && plan.warnings.isEmpty)
    }

    /// Each obstacle to copying, and a word of the reason.
    @Test(
        arguments: [
            Change<MediaInfo>("codec") { $0.streams[0].codec = "hevc" },
            Change<MediaInfo>("profile") { $0.streams[0].profile = "High 4:2:2" },
            Change<MediaInfo>("level") { $0.streams[0].level = 60 },
            Change<MediaInfo>("30 Mb/s") { $0.streams[0].bitRate = 30_000_000 },
            Change<MediaInfo>("jump back") { $0.streams[0].irregularities = ["its timestamps jump back"] },
            Change<MediaInfo>("yuv420p10le") { $0.streams[0].videoProperties?.pixelFormat = "yuv420p10le" },
            Change<MediaInfo>("full") { $0.streams[0].videoProperties?.color.isFullRange = true },
            Change<MediaInfo>("HDR") { $0.streams[0].videoProperties?.color.transfer = "smpte2084" },
            Change<MediaInfo>("HDR") { $0.streams[0].videoProperties?.color.transfer = "arib-std-b67" },
            Change<MediaInfo>("bt2020") { $0.streams[0].videoProperties?.color.primaries = "bt2020" },
            Change<MediaInfo>("mirrored") { $0.streams[0].videoProperties?.orientation = .mirrored },
            Change<MediaInfo>("4:3") { $0.streams[0].videoProperties?.pixelAspect = Rational(4, 3) ?? 1 },
            Change<MediaInfo>("odd") { $0.streams[0].videoProperties?.size.height = 719 },
            Change<MediaInfo>("3840×2160") {
                $0.streams[0].videoProperties?.size = PixelSize(width: 7680, height: 4320)
            },
            Change<MediaInfo>("60 frames") { $0.streams[0].videoProperties?.frameRate = 120 },
            Change<MediaInfo>("20 s apart") { $0.streams[0].videoProperties?.keyFrameInterval = 20 },
            Change<MediaInfo>("unknown") { $0.streams[0].videoProperties?.keyFrameInterval = nil },
            Change<MediaInfo>("interlaced") { $0.streams[0].videoProperties?.scan = .interlaced },
            Change<MediaInfo>("transparency") { $0.streams[0].videoProperties?.hasAlpha = true },
        ])
    func incompatibleVideoIsEncoded(change: Change<MediaInfo>) throws {
        let video = try #require(try plan(TranscodeOptions(), change.apply).video)
        #expect(video.action == .transcode && video.renditions.count == 1)
        #expect(video.reasons.contains { $0.contains(change.word) }, "\(video.reasons)")
    }

    /// The aspect that ffmpeg writes for 16:9 in 480 lines: an error of 0.7 pixels is no reason to encode; 1.3 pixels
    /// are.
    @Test(arguments: [(Rational(1280, 1281)!, StreamAction.copy), (Rational(1279, 1281)!, .transcode)])
    func pixelsThatRoundingLeftAreSquare(aspect: Rational, action: StreamAction) throws {
        let plan = try plan(TranscodeOptions()) {
            $0.streams[0].videoProperties?.size = PixelSize(width: 854, height: 480)
            $0.streams[0].videoProperties?.pixelAspect = aspect
            $0.streams[0].bitRate = 1_000_000
        }
        #expect(plan.video?.action == action)
    }

    @Test(
        arguments: [
            Change<TranscodeOptions>("960×540") { $0.framing.screen = PixelSize(width: 960, height: 640) },
            Change<TranscodeOptions>("cropped") {
                $0.framing = Framing(screen: PixelSize(width: 640, height: 640), fit: .cover)
            },
            Change<TranscodeOptions>("24 frames") { $0.video.maxFrameRate = 24 },
            Change<TranscodeOptions>("any case") { $0.video.alwaysEncodes = true },
            Change<TranscodeOptions>("deinterlaced") { $0.video.deinterlacing = .always },
            Change<TranscodeOptions>("1000000") { $0.video.rate = .maxBytes(1_000_000) },
            Change<TranscodeOptions>("av1") { $0.video.codec = .av1 },
            Change<TranscodeOptions>("keyframe") { $0.delivery = .hls(HLSOptions()) },
        ])
    func optionsThatACopyCannotFulfil(change: Change<TranscodeOptions>) throws {
        var options = TranscodeOptions()
        change.apply(&options)
        let video = try #require(try plan(options).video)
        #expect(video.action == .transcode)
        #expect(video.reasons.contains { $0.contains(change.word) }, "\(video.reasons)")
    }

    @Test(
        arguments: [
            Change<MediaInfo>("opus") { $0.streams[1].codec = "opus" },
            Change<MediaInfo>("HE-AAC") { $0.streams[1].profile = "HE-AAC" },
            Change<MediaInfo>("400 kb/s") { $0.streams[1].bitRate = 400_000 },
            Change<MediaInfo>("96000") { $0.streams[1].format?.sampleRate = 96_000 },
            Change<MediaInfo>("6 channels") {
                $0.streams[1].format?.channels = [.left, .right, .center, .lowFrequency, .backLeft, .backRight]
            },
        ])
    func incompatibleAudioIsEncoded(change: Change<MediaInfo>) throws {
        let audio = try #require(try plan(TranscodeOptions(), change.apply).defaultAudio)
        #expect(audio.action == .transcode && audio.channelCount == 2 && audio.bitRate == 128_000)
        #expect(audio.reasons.contains { $0.contains(change.word) }, "\(audio.reasons)")
    }

    /// Rates of the same family, mono at half the bits, and a loudness.
    @Test(arguments: [
        (44_100, 44_100), (48_000, 48_000), (32_000, 32_000), (96_000, 48_000), (88_200, 44_100), (8000, 48_000),
        (22_050, 44_100), (11_025, 44_100),
    ])
    func audioIsResampledToACommonRate(from: Int, to: Int) throws {
        let options = TranscodeOptions(audio: AudioSettings(loudness: -16))
        let audio = try #require(
            try plan(options) {
                $0.streams[1].codec = "pcm_s16le"
                $0.streams[1].format = AudioFormat(sampleRate: from, channels: [.mono])
            }.defaultAudio)
        #expect(audio.sampleRate == to && audio.channelCount == 1 && audio.bitRate == 64_000 && audio.loudness == -16)
    }

    @Test func whatIsLeftOutIsToldWithItsReason() throws {
        let plan = try plan {
            $0.streams.append(MediaStream(index: 2, kind: .subtitles, codec: "hdmv_pgs_subtitle"))
            $0.streams.append(MediaStream(index: 3, kind: .cover, codec: "mjpeg"))
            var commentary = $0.streams[1]
            (commentary.index, commentary.isDefault) = (4, false)
            $0.streams.append(commentary)
        }
        #expect(plan.dropped.map(\.stream) == [2, 3, 4])
        #expect(plan.dropped.map(\.kind) == [.subtitles, .cover, .audio])
        var options = TranscodeOptions()
        options.audio.track = 2
        let other = try TranscodePlan(of: plan.source, options)
        #expect(
            other.defaultAudio?.stream == 4 && other.defaultAudio?.track == 2
                && other.dropped.map(\.stream) == [1, 2, 3])
        options.audio.track = 3
        #expect(throws: MediaError.self) { try TranscodePlan(of: plan.source, options) }
        options.audio = AudioSettings(isDropped: true)
        #expect(try TranscodePlan(of: plan.source, options).defaultAudio == nil)
    }

    /// For a file with audio in English, German, Brazilian Portuguese, English and an unknown language, with German as
    /// the default: the tracks that HandBrake keeps by `--audio-lang-list`, with and without `--all-audio`.
    @Test(arguments: [
        ([], false, [2]), ([], true, [2, 1, 3, 4, 5]), (["eng"], false, [1]), (["en"], true, [1, 4]),
        (["deu", "eng"], false, [2, 1]), (["ger", "en"], true, [2, 1, 4]), (["pt"], false, [3]),
        (["pt-BR", "deu"], false, [3, 2]), (["fra", "eng"], false, [1]), (["eng", "deu", "en"], false, [1, 2]),
    ])
    func audioTracksAreChosenByLanguage(_ languages: [String], _ keepsAll: Bool, _ expected: [Int]) throws {
        let options = TranscodeOptions(audio: AudioSettings(languages: languages, keepsAll: keepsAll))
        let plan = try plan(options) { info in
            let first = info.streams[1]
            info.streams[1...] = []
            for (number, language) in ["eng", "ger", "pt-BR", "eng", nil].enumerated() {
                var stream = first
                (stream.index, stream.language, stream.isDefault) = (number + 1, language, number == 1)
                info.streams.append(stream)
            }
        }
        #expect(plan.audio.map(\.stream) == expected)
        #expect(plan.defaultAudio?.track == expected[0])
        #expect(Set(plan.dropped.map(\.stream)) == Set(1...5).subtracting(expected))
        #expect(plan.warnings == (languages.contains("fra") ? ["there is no audio track in fra"] : []))
    }

    @Test func moreAudioTracksThanAnyoneChoosesFromAreRefused() throws {
        let options = TranscodeOptions(audio: AudioSettings(keepsAll: true))
        let error = #expect(throws: MediaError.self) {
            try plan(options) { info in
                for index in 2...25 {
                    var stream = info.streams[1]
                    stream.index = index
                    info.streams.append(stream)
                }
            }
        }
        #expect(error?.kind == .parameter && error?.reason.hasPrefix("25 ") == true)
    }

    @Test func audioTracksThatAreNotThereAreRefused() throws {
        for settings in [
            AudioSettings(languages: ["fra"]), AudioSettings(languages: ["x"]), AudioSettings(languages: [""]),
            AudioSettings(track: 1, languages: ["eng"]), AudioSettings(track: 1, keepsAll: true),
        ] {
            let options = TranscodeOptions(audio: settings)
            let error = #expect(throws: MediaError.self) { try plan(options) { $0.streams[1].language = "eng" } }
            #expect(error?.kind == .parameter && error?.advice != nil)
        }
    }

    @Test func unknownAudioIsDroppedWithAWarning() throws {
        let plan = try plan {
            $0.streams[1].codec = "unknown"
            $0.streams[1].undecodable = "its audio codec is not known"
        }
        #expect(plan.warnings == ["its audio codec is not known; the audio is left out"])
        #expect(plan.defaultAudio == nil && plan.dropped.map(\.stream) == [1])
    }

    @Test(
        arguments: [
            Change<MediaInfo>("no video", .unsupported) { $0.streams.removeFirst() },
            Change<MediaInfo>("no video", .unsupported) { $0.streams[0].kind = .cover },
            Change<MediaInfo>("decoded", .decoding) {
                $0.streams[0].videoProperties?.size = PixelSize(width: 0, height: 0)
            },
            Change<MediaInfo>("decoded", .decoding) { $0.streams[0].videoProperties?.pixelFormat = "unknown" },
            Change<MediaInfo>("Dolby Vision", .unsupported) { $0.streams[0].videoProperties?.dolbyVision = "5.0" },
        ])
    func filesWithoutVideoAreErrors(change: Change<MediaInfo>) {
        // Without video options, only audio is delivered.
        let framing = Framing(screen: PixelSize(width: 64, height: 64), fit: .contain)
        let error = #expect(throws: MediaError.self) { try plan(TranscodeOptions(framing: framing), change.apply) }
        #expect(error?.kind == change.kind && error?.description.contains(change.word) == true)
    }

    /// Computed by hand: displayed, fitted, even, never larger.
    @Test(arguments: [
        (PixelSize(width: 1280, height: 720), Orientation.upright, 1 as Rational, "960x640", Fit.contain, "960x540"),
        (PixelSize(width: 1920, height: 1080), .quarterTurnClockwise, 1, "640x960", .contain, "540x960"),
        (PixelSize(width: 1920, height: 1080), .quarterTurnClockwise, 1, "960x640", .cover, "640x960"),
        (PixelSize(width: 1080, height: 720), .transposed, 1, "640x960", .contain, "640x960"),
        (PixelSize(width: 640, height: 360), .upright, 1, "1920x1080", .contain, "640x360"),
        (PixelSize(width: 640, height: 360), .upright, 1, "1920x1080", .cover, "640x360"),
        (PixelSize(width: 720, height: 576), .upright, Rational(64, 45)!, "1920x1080", .contain, "1024x576"),
        (PixelSize(width: 720, height: 576), .upright, Rational(16, 15)!, "640x960", .width, "768x576"),
        (PixelSize(width: 1440, height: 1080), .upright, Rational(4, 3)!, "1280x720", .contain, "1280x720"),
        (PixelSize(width: 161, height: 121), .upright, 1, "640x960", .contain, "160x120"),
        (PixelSize(width: 3264, height: 2448), .upright, 1, "960x640", .contain, "852x640"),
        (PixelSize(width: 1280, height: 720), .upright, 1, "375x667", .contain, "666x374"),
        (PixelSize(width: 2, height: 2000), .upright, 1, "640x960", .contain, "2x960"),
        // They would be 853.3 and 854.9 pixels wide with square pixels.
        (PixelSize(width: 854, height: 480), .upright, Rational(1280, 1281)!, "960x640", .contain, "854x480"),
        (
            PixelSize(width: 854, height: 480), .quarterTurnClockwise, Rational(1001, 1000)!, "960x640", .contain,
            "480x854"
        ),
    ])
    func sizes(
        coded: PixelSize, orientation: Orientation, aspect: Rational, screen: String, fit: Fit, size: String
    ) throws {
        let options = TranscodeOptions(
            framing: Framing(screen: PixelSize(screen), fit: fit), video: VideoSettings(alwaysEncodes: true))
        let plan = try plan(options) {
            $0.streams[0].videoProperties?.size = coded
            $0.streams[0].videoProperties?.orientation = orientation
            $0.streams[0].videoProperties?.pixelAspect = aspect
        }
        #expect(plan.video?.renditions.first?.size == PixelSize(size))
    }

    /// Rate, mode, limit; grid, cap, time base. The average of a variable rate is at most the cap, at least 0.01.
    @Test(
        arguments: [
            ("30", VideoProperties.FrameRateMode.constant, nil, "30", nil, "1/30"),
            ("30000/1001", .constant, nil, "30000/1001", nil, "1001/30000"),
            ("60000/1001", .constant, "30", "30000/1001", "30000/1001", "1001/30000"),
            ("60", .constant, "24", "20", "20", "1/20"),
            ("30", .constant, "25", "25", nil, "1/25"), ("50", .constant, "30", "25", "25", "1/25"),
            ("24", .constant, "30", "24", nil, "1/24"), ("120", .constant, nil, "60", "60", "1/60"),
            ("240", .constant, "120", "120", "120", "1/120"), ("120", .constant, "120", "120", nil, "1/120"),
            ("90", .variable, "120", nil, "120", "1/90000"),
            ("90000/1499", .constant, nil, "90000/1499", nil, "1499/90000"),
            ("1000", .constant, nil, nil, "60", "1/90000"), ("30", .variable, nil, nil, nil, "1/90000"),
            ("30", .variable, "24", nil, "24", "1/90000"), ("119/2", .variable, nil, nil, nil, "1/90000"),
            ("90", .variable, nil, nil, "60", "1/90000"), ("25", .unknown, nil, nil, nil, "1/90000"),
            ("1/150", .variable, nil, nil, nil, "1/90000"),
        ] as [(String, VideoProperties.FrameRateMode, String?, String?, String?, String)])
    func timing(
        rate: String, mode: VideoProperties.FrameRateMode, limit: String?, grid: String?, cap: String?, unit: String
    ) throws {
        var options = TranscodeOptions(video: VideoSettings(alwaysEncodes: true))
        options.video.maxFrameRate = limit.flatMap { Rational($0) }
        let plan = try plan(options) {
            $0.streams[0].videoProperties?.frameRate = Rational(rate)
            $0.streams[0].videoProperties?.frameRateMode = mode
        }
        let lower = [rate, cap].compactMap { $0.flatMap { Rational($0) } }.min { $0.value < $1.value }
        let average = [lower, Rational(1, 100)].compactMap(\.self).max { $0.value < $1.value }
        #expect(
            plan.video?.timing
                == FrameTiming(
                    grid: grid.flatMap { Rational($0) }, cap: cap.flatMap { Rational($0) },
                    averageRate: grid == nil ? average : nil, timeBase: try #require(Rational(unit))))
        #expect(plan.video?.timing.frameRate == (grid.flatMap { Rational($0) } ?? average))
        // With a variable rate, the encoder cannot count to ten seconds.
        #expect((plan.video?.keyFrameInterval == 10) == (grid == nil))
    }

    /// A rate that is unknown is assumed to be 30, and at most the limit.
    @Test(arguments: [(nil, "30"), ("60", "30"), ("5", "5")]) func unknownRates(limit: String?, expected: String) throws
    {
        var options = TranscodeOptions(video: VideoSettings(alwaysEncodes: true))
        options.video.maxFrameRate = limit.flatMap { Rational($0) }
        let plan = try plan(options) {
            $0.streams[0].videoProperties?.frameRate = nil
            $0.streams[0].videoProperties?.frameRateMode = .variable
        }
        #expect(plan.video?.timing.frameRate == Rational(expected))
    }

    /// More frames per second than allowed, and whether HLS is requested.
    @Test(arguments: [("121", false), ("61", true)]) func aFrameRateThatIsTooHighIsRefused(rate: String, isHLS: Bool) {
        var options = TranscodeOptions(delivery: isHLS ? .hls(HLSOptions()) : .mp4)
        options.video.maxFrameRate = Rational(rate)
        let error = #expect(throws: MediaError.self) { try plan(options) { _ in } }
        #expect(error?.kind == .parameter && error?.reason.contains(rate) == true)
        #expect(error?.advice?.description.contains(isHLS ? "60" : "120") == true)
    }

    /// The source's average bit rate, its channels, and the planned bit rate: not above the source's, but sufficient
    /// for passages between pauses.
    @Test(arguments: [
        (300_000, 1, 64_000), (60_000, 1, 60_000), (30_000, 1, 48_000), (100_000, 2, 100_000), (30_000, 2, 96_000),
    ]) func audioOfLowBitRateGetsEnough(own: Int, channels: Int, bitRate: Int) throws {
        let plan = try plan(TranscodeOptions(audio: AudioSettings(loudness: -16))) {
            $0.streams[1].bitRate = own
            $0.streams[1].format = AudioFormat(
                sampleRate: 48_000, channels: channels == 1 ? [.mono] : [.left, .right])
        }
        #expect(plan.defaultAudio?.bitRate == bitRate)
    }

    /// Start, rate, limit, and the offset of the grid from 0 that places the frame shown at the start on the grid.
    @Test(
        arguments: [
            (0, "25", nil, 0), (0.4, "1", nil, 0.4), (0.4, "2", nil, 0.4), (0.4, "5", nil, 0),
            (1.421, "25", nil, 0.021),
            (0.021, "60", "20", 0.021), (3.033, "30", nil, 0), (0.032, "30", nil, 0), (-0.02, "25", nil, 0),
            (.infinity, "25", nil, 0),
        ] as [(Double, String, String?, Double)])
    func aGridBeginsWithItsFirstFrame(start: Double, rate: String, limit: String?, offset: Double) throws {
        var options = TranscodeOptions(video: VideoSettings(alwaysEncodes: true))
        options.video.maxFrameRate = limit.flatMap { Rational($0) }
        let plan = try plan(options) {
            $0.streams[0].start = start
            $0.streams[0].videoProperties?.frameRate = Rational(rate)
        }
        #expect(abs(try #require(plan.video?.timing.offset) - offset) < 1e-9)
    }

    /// Rate, limit, and the rate in HLS: at least four frames per second, a multiple of the source's, not above the
    /// limit.
    @Test(
        arguments: [
            ("25", nil, "25"), ("1", nil, "4"), ("3", nil, "6"), ("2/5", nil, "4"), ("25", "2", "25/13"),
            ("7", "3", "3"),
            ("1", "5", "4"), ("3", "9/2", "3"), ("1", "2", "2"),
        ] as [(String, String?, String)])
    func timingOfHLS(rate: String, limit: String?, grid: String) throws {
        let options = TranscodeOptions(
            video: VideoSettings(maxFrameRate: limit.flatMap { Rational($0) }), delivery: .hls(HLSOptions()))
        let plan = try plan(options) {
            $0.streams[0].videoProperties?.frameRate = Rational(rate)
            $0.streams[0].videoProperties?.frameRateMode = .constant
        }
        #expect(plan.video?.timing.grid == Rational(grid))
        let reasons = try #require(plan.video?.reasons)
        #expect(!reasons.contains { $0.contains("frames a second") } || limit != nil, "\(reasons)")
    }

    /// The level of a size at a frame rate, by table A-1 of H.264.
    @Test(arguments: [
        ("176x144", 15, "1.2"), ("320x240", 30, "1.3"), ("640x360", 30, "3"), ("640x480", 30, "3"),
        ("960x540", 24, "3.1"), ("1280x720", 30, "3.1"), ("1280x720", 60, "3.2"), ("1920x1080", 30, "4"),
        ("1920x1080", 60, "4.2"), ("3840x2160", 30, "5.1"), ("3840x2160", 60, "5.2"), ("1080x1920", 30, "4"),
        ("3840x2", 30, "4"),
    ])
    func levels(size: String, rate: Int, level: String) throws {
        let plan = try plan(TranscodeOptions(video: VideoSettings(alwaysEncodes: true))) {
            $0.streams[0].videoProperties?.size = PixelSize(size)!
            $0.streams[0].videoProperties?.frameRate = Rational(rate)
            $0.streams[0].bitRate = nil
        }
        #expect(plan.video?.renditions.first?.options["level"] == level)
    }

    @Test func whatCompliesDoesNotBecomeLarger() throws {
        let again = try plan(TranscodeOptions(video: VideoSettings(alwaysEncodes: true)))
        #expect(
            again.video?.renditions.first?.rate
                == RenditionRate(crf: 23, maxBitRate: 2_000_000, bufferBits: 4_000_000))
        // 0.15 × 1280 × 720 × 30 is the rate that counts as plenty.
        for (bitRate, isCapped) in [(4_140_000, true), (4_150_000, false)] {
            let plan = try plan(TranscodeOptions(video: VideoSettings(alwaysEncodes: true))) {
                $0.streams[0].bitRate = bitRate
            }
            #expect(plan.video?.renditions.first?.rate.maxBitRate == (isCapped ? bitRate : nil))
        }
        let smaller = try plan(
            TranscodeOptions(framing: Framing(screen: PixelSize(width: 640, height: 360), fit: .contain)))
        #expect(smaller.video?.renditions.first?.rate == RenditionRate(crf: 23))
    }

    @Test func aSizeInBytesLeavesRoomForAudioAndIndex() throws {
        let options = TranscodeOptions(video: VideoSettings(rate: .maxBytes(1_000_000)))
        let plan = try plan(options)
        let rate = try #require(plan.video?.renditions.first?.rate)
        // 1 MB in 10 s is 800 kb/s, of which audio takes 128.
        #expect(rate.maxBytes == 1_000_000 && (620_000..<672_000).contains(rate.bitRate ?? 0))
        #expect(plan.defaultAudio?.action == .copy)
        var tiny = options
        tiny.video.rate = .maxBytes(100_000)
        let error = #expect(throws: MediaError.self) { try self.plan(tiny) }
        #expect(error?.kind == .parameter && error?.advice?.description.contains("kB or more") == true)
        let endless = #expect(throws: MediaError.self) {
            try self.plan(options) {
                $0.seconds = nil
                $0.streams[0].seconds = nil
            }
        }
        #expect(endless?.kind == .unsupported)
    }

    // MARK: HLS

    private func ladder(_ size: String, bitRate: Int?, codec: VideoCodec = .h264, _ own: [LadderRung]? = nil) throws
        -> [String]
    {
        let options = TranscodeOptions(
            video: VideoSettings(codec: codec), delivery: .hls(HLSOptions(ladder: own)))
        let plan = try plan(options) {
            $0.streams[0].videoProperties?.size = PixelSize(size)!
            $0.streams[0].bitRate = bitRate
        }
        return try #require(plan.video).renditions.map {
            "\($0.size.width)x\($0.size.height)@\(($0.rate.bitRate ?? 0) / 1000)"
        }
    }

    /// Apple's table, up to the source, with the rendition at 2000 kb/s first.
    @Test func ladders() throws {
        let whole = ["960x540@2000", "416x234@145", "640x360@365", "768x432@1100", "1280x720@4500", "1920x1080@7800"]
        #expect(try ladder("1920x1080", bitRate: nil) == whole)
        #expect(try ladder("3840x2160", bitRate: 40_000_000) == whole)
        #expect(try ladder("1280x720", bitRate: nil) == Array(whole.dropLast()))
        #expect(
            try ladder("720x1280", bitRate: nil)
                == ["540x960@2000", "234x416@145", "360x640@365", "432x768@1100", "720x1280@4500"])
        #expect(
            try ladder("1920x1080", bitRate: nil, codec: .hevc)
                == ["1280x720@2400", "640x360@145", "768x432@300", "960x540@900", "1920x1080@4500"])
        // A size between two rungs gets its own rung; a tiny size has no other.
        #expect(try ladder("1600x900", bitRate: nil).contains("1600x900@5416"))
        #expect(try ladder("160x120", bitRate: nil) == ["160x120@50"])
        // 1.5 times the source's bit rate is enough for all of it.
        #expect(
            try ladder("1280x720", bitRate: 1_000_000) == [
                "1280x720@1500", "416x234@145", "640x360@365", "768x432@1100",
            ])
        #expect(try ladder("1280x720", bitRate: 200_000) == ["1280x720@300", "416x234@145"])
        let own = try #require(LadderRung.ladder("640x360@700,1280x720@2200,1920x1080@5000"))
        for rungs in [own, own.reversed()] {
            #expect(try ladder("1280x720", bitRate: 900_000, rungs) == ["1280x720@2200", "640x360@700"])
            #expect(try ladder("960x540", bitRate: 900_000, rungs) == ["960x540@1237", "640x360@700"])
        }
    }

    @Test func renditionsOfHLSHaveTheirKeyFramesWhereTheyAreAskedFor() throws {
        let plan = try plan(TranscodeOptions(delivery: .hls(HLSOptions())))
        let video = try #require(plan.video)
        #expect(video.keyFrameInterval == 2)
        for rendition in video.renditions {
            #expect(rendition.options["sc_threshold"] == "0" && Int(rendition.options["g"] ?? "") ?? 0 > 60)
            let rate = try #require(rendition.rate.bitRate)
            // A segment of 6 s has at most the bits of 6 s and of the full buffer: below 200 % of the average.
            let peak = Double(rendition.rate.maxBitRate ?? 0) + Double(rendition.rate.bufferBits ?? 0) / 6
            #expect(peak < 2 * Double(rate))
        }
    }

    /// SVT-AV1 places keyframes by counting frames.
    @Test func segmentsOfAV1AreCounted() throws {
        let options = TranscodeOptions(video: VideoSettings(codec: .av1), delivery: .hls(HLSOptions()))
        let video = try #require(try plan(options).video)
        #expect(video.keyFrameInterval == nil && video.renditions.allSatisfy { $0.options["g"] == "60" })
        let error = #expect(throws: MediaError.self) {
            try plan(options) { $0.streams[0].videoProperties?.frameRateMode = .variable }
        }
        #expect(error?.kind == .unsupported)
    }

    // MARK: Options

    @Test(
        arguments: [
            { $0.framing.enlarges = true }, { $0.framing.inLinearLight = true },
            { $0.framing.decodesFully = true },
            { $0.framing.screen = PixelSize(width: 0, height: 0) },
            { $0.framing.screen = PixelSize(width: 1, height: 4) },
            { $0.audio.bitRate = 1000 }, { $0.audio.loudness = 3 }, { $0.audio.track = 0 },
            { $0.delivery = .hls(HLSOptions(segmentSeconds: 5)) },
            { $0.delivery = .hls(HLSOptions(keyFrameInterval: .nan)) },
            { $0.delivery = .hls(HLSOptions(ladder: [])) }, { $0.delivery = .hls(HLSOptions(previewInterval: 0)) },
            {
                $0.delivery = .hls(
                    HLSOptions(ladder: [LadderRung(box: PixelSize(width: 0, height: 0), bitRate: 100_000)]))
            },
            { ($0.delivery, $0.video.rate) = (.hls(HLSOptions()), .crf(20)) },
        ] as [@Sendable (inout TranscodeOptions) -> Void])
    func optionsThatMakeNoSenseAreErrors(change: @Sendable (inout TranscodeOptions) -> Void) {
        var options = TranscodeOptions()
        change(&options)
        let error = #expect(throws: MediaError.self) { try plan(options) }
        #expect(error?.kind == .parameter)
    }

    // MARK: Parts

    @Test(
        arguments: [
            (599, nil, .mp4, nil), (600, nil, .mp4, 10), (10, true, .mp4, 10), (6000, false, .mp4, nil),
            (599, nil, .hls(HLSOptions()), nil), (600, nil, .hls(HLSOptions()), 12),
            (600, nil, .hls(HLSOptions(segmentSeconds: 4)), 12), (600, nil, .hls(HLSOptions(segmentSeconds: 30)), 30),
        ] as [(Double, Bool?, TranscodeOptions.Delivery, Double?)])
    func longVideosAreEncodedInParts(
        _ seconds: Double, _ isResumable: Bool?, _ delivery: TranscodeOptions.Delivery, _ parts: Double?
    ) throws {
        let options = TranscodeOptions(
            video: VideoSettings(alwaysEncodes: true), delivery: delivery, isResumable: isResumable)
        let video = try #require(try plan(options) { $0.seconds = seconds }.video)
        #expect(video.chunkSeconds == parts)
    }

    /// Threads that share a rate adapt to the current progress of the others, which varies.
    @Test func whatKeepsToARateHasOneThread() throws {
        func threads(_ codec: VideoCodec, _ source: String, _ delivery: TranscodeOptions.Delivery, _ rate: RateTarget)
            throws -> [Int]
        {
            let options = TranscodeOptions(
                video: VideoSettings(codec: codec, rate: rate, alwaysEncodes: true), delivery: delivery)
            return try plan(options) { $0.streams[0].codec = source }.video?.renditions.map(\.threads) ?? []
        }
        for codec in [VideoCodec.h264, .hevc, .av1] {
            #expect(try threads(codec, "vp9", .mp4, .standard).allSatisfy { $0 > 1 })
            #expect(try threads(codec, "vp9", .hls(HLSOptions()), .standard).allSatisfy { $0 == 1 })
            // The rate of a source with the same codec and size is limited, so that it does not become larger.
            #expect(try threads(codec, codec.rawValue, .mp4, .standard).allSatisfy { $0 == 1 })
            // For an average over two passes, only x264 is reproducible.
            #expect(try threads(codec, "vp9", .mp4, .maxBytes(1_000_000)).allSatisfy { ($0 == 1) == (codec != .h264) })
        }
    }

    /// Of 1280×720, 1024×576 has two thirds of the pixels and 640×360 a quarter.
    @Test(arguments: [(nil, [2, 1, 2]), (1, [1, 1, 1]), (2, [2, 1, 2]), (3, [3, 1, 2]), (4, [4, 1, 3])])
    func renditionsHaveEncodersInProportion(_ count: Int?, _ expected: [Int]) throws {
        let rungs = [(1280, 720), (640, 360), (1024, 576)].map {
            LadderRung(box: PixelSize(width: $0.0, height: $0.1), bitRate: 2_000_000 - $0.1)
        }
        let delivery = TranscodeOptions.Delivery.hls(HLSOptions(ladder: rungs, parallelGOPs: count))
        let options = TranscodeOptions(video: VideoSettings(alwaysEncodes: true), delivery: delivery)
        let renditions = try #require(try plan(options).video).renditions
        for (rung, number) in zip(rungs, expected) {
            #expect(renditions.first { $0.size == rung.box }?.parallelGOPs == number)
        }
    }

    private struct Encoding: Sendable {
        var size = PixelSize(width: 960, height: 540)
        var preset: String? = "veryfast"
        var seconds = 60.0
        var asked: Int?
    }

    /// Large frames and a long lookahead need much memory, and short videos have few GOPs, which are of 2 s.
    @Test(arguments: [
        (Encoding(), 3), (Encoding(preset: "faster"), 2), (Encoding(preset: nil), 2),
        (Encoding(size: PixelSize(width: 1280, height: 720)), 2),
        (Encoding(size: PixelSize(width: 1920, height: 1080)), 1),
        (Encoding(size: PixelSize(width: 1920, height: 1080), asked: 2), 2),
        (Encoding(seconds: 12), 3), (Encoding(seconds: 11.9), 2), (Encoding(seconds: 7.9), 1),
        (Encoding(seconds: 1), 1), (Encoding(seconds: 1, asked: 4), 4),
    ])
    private func gopsAreEncodedAtTheSameTime(_ encoding: Encoding, _ expected: Int) throws {
        let options = TranscodeOptions(
            video: VideoSettings(preset: encoding.preset, alwaysEncodes: true),
            delivery: .hls(HLSOptions(parallelGOPs: encoding.asked)))
        let video = try plan(options) {
            $0.seconds = encoding.seconds
            $0.streams[0].seconds = encoding.seconds
            $0.streams[0].videoProperties?.size = encoding.size
            $0.streams[0].bitRate = 8_000_000
        }.video
        let largest = video?.renditions.max { $0.size.pixels < $1.size.pixels }
        #expect(largest?.size == encoding.size)
        #expect(largest?.parallelGOPs == expected)
    }

    /// Keyframes cannot be requested of SVT-AV1.
    @Test func av1IsEncodedOneGOPAfterTheOther() throws {
        func options(_ codec: VideoCodec, _ count: Int?) -> TranscodeOptions {
            TranscodeOptions(
                video: VideoSettings(codec: codec, alwaysEncodes: true), delivery: .hls(HLSOptions(parallelGOPs: count))
            )
        }
        for count in [nil, 1] {
            #expect(try plan(options(.av1, count)).video?.renditions.allSatisfy { $0.parallelGOPs == 1 } == true)
        }
        for wrong in [options(.av1, 2), options(.h264, 0), options(.h264, 5)] {
            #expect(#expect(throws: MediaError.self) { try plan(wrong) }?.kind == .parameter)
        }
    }

    /// Absurd values in a file are only numbers.
    @Test func absurdClaimsAreNoTrap() throws {
        for size in [
            PixelSize(width: .max, height: 1), PixelSize(width: 1, height: .max), PixelSize(width: 1, height: 1),
        ] {
            for aspect in [Rational(.max, 1)!, Rational(1, .max)!, 1] {
                let plan = try plan(TranscodeOptions(video: VideoSettings(alwaysEncodes: true))) {
                    $0.seconds = .infinity
                    $0.streams[0].videoProperties?.size = size
                    $0.streams[0].videoProperties?.pixelAspect = aspect
                    $0.streams[0].videoProperties?.frameRate = Rational(.max - 1, 3)
                    $0.streams[0].videoProperties?.keyFrameInterval = .infinity
                    $0.streams[0].bitRate = .max
                    $0.streams[1].bitRate = .max
                }
                let output = try #require(plan.video?.renditions.first?.size)
                #expect((2...3840).contains(output.width) && (2...3840).contains(output.height))
                #expect(!plan.description.isEmpty)
            }
        }
    }

    /// Sources and options that lead to a plan that cannot be carried out, and a word of the reason.
    @Test(arguments: [
        Change<MediaInfo>("frame rate") { $0.streams[0].videoProperties?.frameRate = Rational(1, 2000) },
        Change<MediaInfo>("frame rate") { $0.streams[0].videoProperties?.frameRate = Rational(1 << 40, (1 << 40) - 1) },
        Change<MediaInfo>("size") { $0.streams[0].videoProperties?.size = PixelSize(width: 20_000, height: 100) },
    ]) func aPlanThatCannotBeIsRefused(change: Change<MediaInfo>) throws {
        let plan = try plan(TranscodeOptions(video: VideoSettings(alwaysEncodes: true)), change.apply)
        let error = #expect(throws: MediaError.self) { try plan.check() }
        #expect(error?.kind == .parameter && error?.reason.contains(change.word) == true, "\(error?.reason ?? "")")
    }

    @Test func aFileLargerThanAnyDiskIsRefused() throws {
        let plan = try plan(TranscodeOptions(video: VideoSettings(rate: .maxBytes(1 << 41), alwaysEncodes: true)))
        #expect(#expect(throws: MediaError.self) { try plan.check() }?.reason.contains("bit rate") == true)
    }

    @Test func aPlanThatWasMadePasses() throws {
        try plan(TranscodeOptions(video: VideoSettings(alwaysEncodes: true))).check()
    }

    @Test(arguments: [(1, .max), (.max, .max - 1), (1, 101), (121, 1)])
    func frameRatesThatCannotBeAreRefused(numerator: Int, denominator: Int) {
        let options = TranscodeOptions(video: VideoSettings(maxFrameRate: Rational(numerator, denominator)))
        let error = #expect(throws: MediaError.self) { try TranscodePlan(of: Self.info(), options) }
        #expect(error?.kind == .parameter && error?.advice?.description == "use maxFrameRate 0.01 to 120")
    }

    @Test func aPlanReadsAsAPage() throws {
        let plan = try plan(
            TranscodeOptions(framing: Framing(screen: PixelSize(width: 640, height: 960), fit: .contain))
        ) {
            $0.streams[0].videoProperties?.size = PixelSize(width: 1080, height: 720)
            $0.streams[0].videoProperties?.orientation = .quarterTurnClockwise
        }
        let page = plan.description
        #expect(page.contains("1080×720 → 720×1080 (rotated clockwise by 90°) → 640×960, libx264 medium, level 3.1"))
        #expect(page.contains("audio:  stream 1, copied"))
    }
    /// A plan says what is done to frames, not by which filters.
    @Test func aPlanContainsIntentions() throws {
        let framing = Framing(screen: PixelSize(width: 400, height: 300), fit: .cover, gravity: .west)
        let plan = try plan(TranscodeOptions(framing: framing)) {
            $0.streams[0].videoProperties?.scan = .interlaced
            $0.streams[0].videoProperties?.hasAlpha = true
            $0.streams[0].videoProperties?.orientation = .quarterTurnClockwise
            $0.streams[0].videoProperties?.color.transfer = "smpte2084"
        }
        let page = plan.description
        #expect(page.contains("fields:") && page.contains("deinterlaced in frames that are marked as interlaced"))
        #expect(page.contains("background:") && page.contains("HDR (PQ"))
        let json = try JSONEncoder().encode(plan)
        #expect(try JSONDecoder().decode(TranscodePlan.self, from: json) == plan)
        for text in [page, String(decoding: json, as: UTF8.self)] {
            for filter in ["scale=", "bwdif", "tonemap", "transpose", "crop=", "format="] {
                #expect(!text.contains(filter), "\(filter)")
            }
        }
    }
}
