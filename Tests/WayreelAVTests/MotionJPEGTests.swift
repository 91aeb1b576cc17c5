import JPEGReference
import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// Motion JPEG that is decoded by WayreelJPEG, or left to FFmpeg.
@Suite struct MotionJPEGTests {
    /// Files of FFmpeg's encoder: its arguments for each name.
    private static let files: [(name: String, arguments: String)] = [
        ("420.avi", "-pix_fmt yuvj420p"), ("422.mov", "-pix_fmt yuvj422p"), ("444.mkv", "-pix_fmt yuvj444p"),
        ("odd.mkv", "-pix_fmt yuvj420p -vf crop=333:251"), ("odd.mov", "-pix_fmt yuvj422p -vf crop=333:251"),
        ("tables.mp4", "-pix_fmt yuvj420p -huffman default"), ("wide.avi", "-pix_fmt yuvj420p -aspect 16:9"),
        ("bt709.mov", "-pix_fmt yuvj420p -colorspace bt709 -color_trc bt709 -color_primaries bt709"),
    ]

    private static func make(_ arguments: String, at path: String, size: String = "352x288") throws {
        try SampleVideo.make(
            ["-f", "lavfi", "-i", "mandelbrot=s=\(size):r=25", "-frames:v", "6", "-c:v", "mjpeg", "-q:v", "3"]
                + arguments.split(separator: " ").map(String.init) + [path])
    }

    private static func packets(_ path: String) throws -> (file: Demuxer, packets: [Packet]) {
        let file = try Demuxer(.path(path), task: TaskContext())
        var packets: [Packet] = []
        while let packet = try file.next() { packets.append(packet) }
        return (file, packets)
    }

    private static func decoder(_ file: Demuxer, usesWayreelJPEG: Bool) throws -> VideoDecoder {
        try VideoDecoder(file, stream: 0, threads: 1, limits: .standard, usesWayreelJPEG: usesWayreelJPEG)
    }

    /// Decodes packets, and passes each frame to `body` before the next packet is sent.
    private static func decode(_ packets: [Packet], _ decoder: VideoDecoder, _ body: (Frame) throws -> Void) throws {
        for packet in packets.map(Optional.some) + [nil] {
            try decoder.send(packet)
            while let frame = try decoder.next() { try body(frame) }
        }
    }

    private static func compare(_ packet: [UInt8], _ frame: Frame) throws -> jpeg_comparison {
        try frame.withPlanes { planes in
            jpeg_compare_samples(
                packet, packet.count, planes.map { UnsafePointer($0.row(0)) }, planes.map(\.stride))
        }
    }

    /// Everything that FFmpeg's decoder says of a frame, and its samples.
    private struct Content: Equatable {
        var time: Int64?
        var duration: Int64
        var size: PixelSize
        var format: String
        var color: VideoColor
        var isKeyFrame, isInterlaced, isDamaged: Bool
        var samples: [UInt8]

        init(_ frame: Frame) throws {
            (time, duration, size, format) = (frame.time, frame.duration, frame.size, frame.pixelFormatName)
            (color, isKeyFrame, isInterlaced, isDamaged) = (
                frame.color, frame.isKeyFrame, frame.isInterlaced, frame.isDamaged
            )
            let halves = (x: format.contains("444") ? 1 : 2, y: format.contains("420") ? 2 : 1)
            samples = try frame.withPlanes { planes in
                planes.indices.flatMap { index in
                    let (x, y) = index > 0 ? halves : (1, 1)
                    return (0..<(frame.size.height + y - 1) / y).flatMap {
                        UnsafeBufferPointer(start: planes[index].row($0), count: (frame.size.width + x - 1) / x)
                    }
                }
            }
        }
    }

    private static func contents(_ packets: [Packet], _ decoder: VideoDecoder) throws -> [Content] {
        var contents: [Content] = []
        try decode(packets, decoder) { contents.append(try Content($0)) }
        return contents
    }

    @Test(arguments: files.indices) func samplesAreThoseOfLibjpeg(index: Int) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/\(Self.files[index].name)"
            try Self.make(Self.files[index].arguments, at: path)
            let (file, packets) = try Self.packets(path)
            var next = 0
            try Self.decode(packets, try Self.decoder(file, usesWayreelJPEG: true)) { frame in
                let found = try Self.compare(Array(packets[next].bytes), frame)
                #expect(found.failed == 0 && found.different == 0, "frame \(next): \(found.different) rows")
                next += 1
            }
            #expect(next == 6)
            // FFmpeg's are others, so that this shows which decoder it was.
            try Self.decode([packets[0]], try Self.decoder(file, usesWayreelJPEG: false)) {
                let found = try Self.compare(Array(packets[0].bytes), $0)
                #expect(found.different > 0)
            }
        }
    }

    @Test(arguments: files.indices) func allElseIsWhatFFmpegSays(index: Int) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/\(Self.files[index].name)"
            try Self.make(Self.files[index].arguments, at: path)
            let (file, packets) = try Self.packets(path)
            let own = try Self.contents(packets, try Self.decoder(file, usesWayreelJPEG: true))
            let ffmpegs = try Self.contents(packets, try Self.decoder(file, usesWayreelJPEG: false))
            #expect(own.count == 6 && ffmpegs.count == 6)
            for (var own, ffmpeg) in zip(own, ffmpegs) {
                let differences = zip(own.samples, ffmpeg.samples).map { abs(Int($0) - Int($1)) }
                #expect(differences.max() ?? 0 <= 2)
                #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 0.1)
                own.samples = ffmpeg.samples
                #expect(own == ffmpeg)
            }
        }
    }

    /// Returns packets of which the second has other bytes.
    private static func changed(_ packets: [Packet], _ change: ([UInt8]) throws -> [UInt8]) throws -> [Packet] {
        var packets = packets
        let second = try change(Array(packets[1].bytes)).withUnsafeBytes { (bytes) throws in try Packet(bytes) }
        second.presentationTime = packets[1].presentationTime
        second.decodingTime = packets[1].decodingTime
        second.duration = packets[1].duration
        second.isKeyFrame = true
        packets[1] = second
        return packets
    }

    private static let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]

    private static let exceptions: [(name: String, change: @Sendable ([UInt8]) -> [UInt8])] = [
        ("limited range", { JPEGFile.inserting(0xFE, Array("CS=ITU601".utf8), into: $0) }),
        ("flipped", { JPEGFile.inserting(0xFE, Array("Intel(R) JPEG Library, version 1".utf8), into: $0) }),
        ("Adobe", { JPEGFile.inserting(0xEE, adobe, into: $0) }),
        ("Exif", { JPEGFile.inserting(0xE1, Array("Exif\0\0II".utf8), into: $0) }),
        ("without quantization tables", { JPEGFile.removingSegments(0xDB, from: $0) }),
        ("without Huffman tables", { JPEGFile.removingSegments(0xC4, from: $0) }),
        ("without EOI", { $0.dropLast(2) }), ("cut", { Array($0[..<($0.count / 2)]) }),
        ("cut, with EOI", { $0[..<($0.count / 2)] + [0xFF, 0xD9] }), ("no header", { Array($0[300...]) }),
        ("empty", { _ in [0] }),
        (
            "damaged",
            { bytes in
                var bytes = bytes
                for place in stride(from: bytes.count / 2, to: bytes.count - 2, by: 97) { bytes[place] ^= 0x55 }
                return bytes
            }
        ),
        (
            "a field",
            { bytes in
                var bytes = bytes
                let frame = bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 } ?? 0
                (bytes[frame + 5], bytes[frame + 6]) = (0, 144)
                return bytes
            }
        ),
    ]

    /// If it comes first, FFmpeg decodes all; if it follows others, another decoder is needed.
    @Test(arguments: exceptions.indices) func anExceptionIsLeftToFFmpeg(index: Int) throws {
        let (name, change) = Self.exceptions[index]
        try Fixture.withFolder { folder in
            try Self.make("-pix_fmt yuvj420p", at: "\(folder)/a.avi")
            let (file, whole) = try Self.packets("\(folder)/a.avi")
            let packets = try Self.changed(whole, change)
            let second = try Self.decoder(file, usesWayreelJPEG: true)
            let error = #expect(throws: MediaError.self) { try Self.contents(packets, second) }
            #expect(error?.kind == .decoding && second.needsFFmpeg, "\(name)")
            let first = try Self.decoder(file, usesWayreelJPEG: true)
            let ffmpeg = try Self.decoder(file, usesWayreelJPEG: false)
            #expect(
                try Self.contents(Array(packets[1...]), first) == Self.contents(Array(packets[1...]), ffmpeg), "\(name)"
            )
            #expect(!first.needsFFmpeg && first.lost == ffmpeg.lost && first.damaged == ffmpeg.damaged, "\(name)")
        }
    }

    /// As cameras write them.
    @Test func theUsualTablesNeedNotBeDefined() throws {
        try Fixture.withFolder { folder in
            try Self.make("-pix_fmt yuvj422p -huffman default", at: "\(folder)/a.avi")
            let (file, whole) = try Self.packets("\(folder)/a.avi")
            let packets = try Self.changed(whole) { JPEGFile.removingSegments(0xC4, from: $0) }
            try Self.decode([packets[1]], try Self.decoder(file, usesWayreelJPEG: true)) {
                let found = try Self.compare(Array(whole[1].bytes), $0)
                #expect(found.failed == 0 && found.different == 0)
            }
        }
    }

    /// The small copies of frames of a reduced size are those of whole frames.
    @Test(arguments: [
        ("3840x2160", "960x540"), ("2560x1440", "640x360"), ("1920x1080", "960x540"), ("1280x720", "640x360"),
        ("640x480", "640x480"),
    ])
    func framesThatAreScaledDownMayBeReduced(whole: String, reduced: String) throws {
        try Fixture.withFolder { folder in
            try Self.make("-pix_fmt yuvj420p", at: "\(folder)/a.mov", size: whole)
            let (file, packets) = try Self.packets("\(folder)/a.mov")
            let small = { (side: Int?) throws in
                let decoder = try Self.decoder(file, usesWayreelJPEG: true)
                decoder.targetSide = side
                var found: [(size: PixelSize, small: Content)] = []
                try Self.decode([packets[0]], decoder) { frame in
                    let graph = try FilterGraph("scale=320:180:flags=area,format=yuv444p", timeBase: 1)
                    try graph.send(frame)
                    found.append((frame.size, try Content(try #require(try graph.next()))))
                }
                return try #require(found.first)
            }
            let (own, expected) = (try small(320), try small(nil))
            #expect("\(own.size.width)x\(own.size.height)" == reduced)
            #expect("\(expected.size.width)x\(expected.size.height)" == whole)
            let differences = zip(own.small.samples, expected.small.samples).map { abs(Int($0) - Int($1)) }
            #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 0.5)
        }
    }
}
