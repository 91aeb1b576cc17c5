import Glibc
import TestSupport
import Testing
import WayreelAV
import WayreelCore
import WayreelVideo

/// Whether FFmpeg's encoders accept all options of a plan and follow them.
@Suite struct VideoEncoderInfoTests {
    /// Encodes the frames of a file by a plan into an elementary stream at `path`.
    private func encode(_ source: String, _ plan: TranscodePlan, to path: String) throws -> [Packet] {
        let video = try #require(plan.video)
        let rendition = video.renditions[0]
        var options = rendition.options
        options["crf"] = rendition.rate.crf.map { "\($0)" }
        options["b"] = rendition.rate.bitRate.map(String.init)
        options["maxrate"] = rendition.rate.maxBitRate.map(String.init)
        options["bufsize"] = rendition.rate.bufferBits.map(String.init)
        let encoder = try VideoEncoder(
            VideoEncoder.Settings(
                encoder: rendition.encoder, size: rendition.size, timeBase: video.timing.timeBase,
                frameRate: video.timing.frameRate, threads: rendition.threads, options: options, hasGlobalHeader: false)
        )
        let file = try Demuxer(.path(source), task: TaskContext())
        let decoder = try VideoDecoder(file, stream: video.stream, threads: 1, limits: .standard)
        let graph = try FilterGraph(video.filters(of: rendition).filters, timeBase: file.timeBase(of: video.stream))
        var packets: [Packet] = []
        var count: Int64 = 0
        file.select([video.stream])
        let decoded = { () throws(MediaError) in try decoder.next(from: file.next) }
        let filtered = { () throws(MediaError) -> Frame? in
            guard let frame = try graph.next(from: decoded) else { return nil }
            frame.time = count
            frame.requestKeyFrame(count == 3)
            count += 1
            return frame
        }
        while let packet = try encoder.next(from: filtered) { packets.append(packet) }
        let output = try #require(fopen(path, "w"))
        defer { fclose(output) }
        for packet in packets { fwrite(packet.bytes.baseAddress, 1, packet.bytes.count, output) }
        return packets
    }

    @Test(arguments: [
        (VideoCodec.h264, "ultrafast", "h264", "level=12"), (.hevc, "ultrafast", "hevc", "Main"),
        (.av1, "12", "obu", "Main"),
    ])
    func encodersTakeTheirOptions(codec: VideoCodec, preset: String, suffix: String, property: String) throws {
        try Fixture.withFolder { folder in
            let source = "\(folder)/in.mkv"
            var video = FlatVideo(size: PixelSize(width: 128, height: 96), tags: ["-colorspace", "bt709"])
            video.frames = 6
            try video.write(source)
            for isHLS in [false, true] {
                var options = TranscodeOptions(delivery: isHLS ? .hls(HLSOptions()) : .mp4)
                options.video.codec = codec
                options.video.preset = preset
                let plan = try TranscodePlan.plan(path: source, options)
                let path = "\(folder)/out.\(suffix)"
                let packets = try encode(source, plan, to: path)
                #expect(packets.count == 6)
                let reported = try SampleVideo.run(
                    "ffprobe",
                    [
                        "-v", "error", "-count_frames", "-show_entries",
                        "stream=profile,level,pix_fmt,color_space,color_transfer,color_primaries,color_range,nb_read_frames",
                        "-of", "compact", path,
                    ]
                ).text
                for property in [
                    property, "pix_fmt=yuv420p|", "color_space=bt709", "color_transfer=bt709", "color_primaries=bt709",
                    "color_range=tv", "nb_read_frames=6",
                ] {
                    #expect(reported.contains(property), "\(codec): \(reported)")
                }
                // A keyframe is requested at the fourth frame; SVT-AV1 ignores the request.
                let keys = packets.filter(\.isKeyFrame).compactMap(\.presentationTime)
                #expect(keys == (codec == .av1 ? [0] : [0, 3]))
            }
        }
    }

    @Test(arguments: VideoCodec.allCases)
    func unknownPresetsAndFactorsAreErrors(codec: VideoCodec) throws {
        for change in [
            { $0.preset = "quick" }, { $0.rate = .crf(0) }, { $0.rate = .crf(64) },
            { $0.rate = .quality(.ssim(50)) }, { $0.rate = .maxBytes(100) },
        ] as [(inout VideoSettings) -> Void] {
            var options = TranscodeOptions()
            options.video.codec = codec
            change(&options.video)
            let error = #expect(throws: MediaError.self) { try TranscodePlan(of: PlannerTests.info(), options) }
            #expect(error?.kind == .parameter)
        }
    }
}
