import TestSupport
import Testing
import WayreelAV
import WayreelCore

/// Streams that follow each other: links of Ogg, and frames without a container whose format changes.
@Suite struct ChainedOggTests {
    /// The parts are as long as each alone, and nothing is between them.
    @Test(arguments: [
        ("opus", ["-c:a libopus", "-c:a libopus"]), ("opus", ["-c:a libopus", "-c:a libopus -serial_offset 7"]),
        ("ogg", ["-c:a libvorbis", "-c:a libvorbis"]), ("ogg", ["-c:a libvorbis", "-c:a libvorbis -ar 22050"]),
        ("ogg", ["-c:a libvorbis -ar 22050", "-c:a libvorbis -ar 48000"]),
        ("ogg", ["-c:a libvorbis -ar 8000", "-c:a libvorbis -ar 48000"]),
        ("oga", ["-c:a flac", "-c:a flac"]), ("oga", ["-c:a flac", "-c:a flac -ar 22050"]),
        // The blocks of the second link are larger than the header of the first allows.
        ("oga", ["-c:a flac -ar 8000", "-c:a flac -ar 48000 -ac 2"]),
        ("spx", ["-ar 16000 -c:a libspeex", "-ar 16000 -c:a libspeex"]),
        ("aac", ["-c:a aac", "-c:a aac -ar 22050"]),
    ])
    func linksFollowEachOther(type: String, arguments: [String]) throws {
        try Fixture.withFolder { folder in
            var bytes: [UInt8] = []
            var seconds: [Double] = []
            for (index, options) in (arguments + [arguments[0]]).enumerated() {
                let path = "\(folder)/\(index).\(type)"
                try AudioFiles.ffmpeg(
                    "-f lavfi -i aevalsrc=0.5*sin(2*PI*440*t):s=48000:d=1.5 \(options)", path, in: folder)
                bytes += try Fixture.bytes(path)
                let part = try DecodedAudio(path)
                seconds.append(Double(part.count) / Double(part.info.format.sampleRate))
            }
            try AudioFiles.write(bytes, to: "\(folder)/chain.\(type)")
            for workers in [1, 2] {
                let chain = try DecodedAudio("\(folder)/chain.\(type)", workers: workers, chunkLength: 5)
                let rate = Double(chain.info.format.sampleRate)
                #expect(chain.warnings.isEmpty, "\(chain.warnings)")
                #expect(chain.outcome.lostPackets == 0 && chain.outcome.gaps == 0 && chain.outcome.filledSamples == 0)
                // A decoder may need a packet at each change to start.
                #expect(abs(Double(chain.count) / rate - seconds.reduce(0, +)) < 0.05, "\(chain.count) \(seconds)")
                // Raw frames have the delay of their encoder. Elsewhere the tone is silent nowhere for 50 ms.
                guard type != "aac" else { continue }
                let window = Int(rate / 20)
                let quiet = stride(from: 2 * window, to: chain.count - 2 * window, by: window / 2).filter { start in
                    chain.channels[0][start..<start + window].allSatisfy { abs($0) < 0.1 }
                }
                #expect(quiet.isEmpty, "\(quiet.map { Double($0) / rate })")
            }
        }
    }
}
