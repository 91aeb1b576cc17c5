import TestSupport
import Testing
import WayreelAV
import WayreelCore
import WayreelVideo

/// The detected properties of files, some real, some made by ffmpeg.
@Suite struct MediaScanTests {
    private func scan(_ path: String, effort: MediaScan.Effort = MediaScan.Effort()) throws -> MediaInfo {
        try MediaScan.info(of: .path(path), effort: effort, task: TaskContext())
    }

    /// 3 s at 24 fps with a keyframe per second, in containers with and without an index.
    @Test(arguments: ["mp4", "mkv", "ts", "mov", "avi", "flv"])
    func countsAndKeyFrames(container: String) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.\(container)"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=64x48:r=24:d=3", "-c:v", "libx264", "-preset", "ultrafast", "-bf", "2",
                "-g", "24", path,
            ])
            let video = try #require(try scan(path).video)
            let properties = try #require(video.videoProperties)
            #expect(properties.frameCount == 72 && properties.frameRateMode == .constant && properties.frameRate == 24)
            #expect(abs((properties.keyFrameInterval ?? 0) - 1) < 0.01 && properties.scan == .progressive)
            #expect(abs((video.seconds ?? 0) - 3) < 0.1)
            #expect(video.bitRate ?? 0 > 10_000 && video.peakBitRate ?? 0 >= (video.bitRate ?? 0) * 9 / 10)
            // AVI has no presentation times, and the frames are reordered.
            let expected = container == "avi" ? ["its packets do not declare the display order of its frames"] : []
            #expect(video.irregularities == expected)
        }
    }

    @Test(arguments: ["mp4", "mkv"])
    func variableRatesAreFound(container: String) throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.\(container)"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=64x48:r=60:d=3", "-vf", "select='if(lt(t,1),1,not(mod(n,3)))'",
                "-vsync", "vfr", "-c:v", "libx264", "-preset", "ultrafast", path,
            ])
            let properties = try #require(try scan(path).video?.videoProperties)
            #expect(properties.frameRateMode == .variable && properties.frameCount == 100)
            #expect(abs((properties.frameRate?.value ?? 0) - 33.5) < 1)
        }
    }

    /// Fragmented files have no index at the front: their packets are read.
    @Test func fragmentedFilesAreReadWhole() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mp4"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=2", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25",
                "-movflags", "frag_keyframe+empty_moov", path,
            ])
            let properties = try #require(try scan(path).video?.videoProperties)
            #expect(properties.frameCount == 50 && properties.frameRate == 25 && properties.keyFrameInterval == 1)
        }
    }

    /// Data from an incomplete scan are not treated as complete.
    @Test func effortIsBounded() throws {
        let path = SampleVideo.path("bunny-720p-vp8.webm")
        let whole = try #require(try scan(path).video?.videoProperties)
        #expect(whole.frameCount == 720 && whole.frameRate == 24)
        let part = try #require(try scan(path, effort: MediaScan.Effort(bytes: 100_000)).video?.videoProperties)
        #expect(part.frameCount == nil && part.frameRate == 24 && part.frameRateMode == .constant)
    }

    @Test func samplesAreWhatTheyAre() throws {
        let hlg = try scan(SampleVideo.path("hlg10-hevc.mp4"))
        #expect(hlg.video?.videoProperties?.color.dynamicRange == .hlg && hlg.video?.videoProperties?.bitDepth == 10)
        let phone = try #require(try scan(SampleVideo.path("portrait-4k60-vfr.mp4")).video?.videoProperties)
        #expect(phone.frameRateMode == .variable && phone.orientation == .quarterTurnClockwise)
        #expect(phone.displayedSize == PixelSize(width: 2160, height: 3840))
        #expect(try scan(SampleVideo.path("rotate-and-reflect.mp4")).video?.videoProperties?.orientation == .transposed)
    }

    /// HEVC that declares BT.2020 in its header, and HLG in an SEI message of each frame.
    @Test func lightOfHDRIsFoundInTheStream() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/in.mkv"
            try SampleVideo.make([
                "-f", "lavfi", "-i", "color=gray:s=64x64:r=25:d=0.2", "-c:v", "libx265", "-pix_fmt", "yuv420p10le",
                "-preset", "ultrafast", "-x265-params",
                "log-level=none:colorprim=9:transfer=16:colormatrix=9:max-cll=1600,400:"
                    + "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50)",
                path,
            ])
            let properties = try #require(try scan(path).video?.videoProperties)
            #expect(properties.color.dynamicRange == .pq && properties.peakLuminance == 1600)
        }
    }

    @Test func probeTellsWhetherAFileIsPlayedEverywhere() throws {
        let plays = try MediaProbe.probe(path: SampleVideo.path("portrait.mp4"))
        #expect(plays.isCompliant && plays.obstacles.isEmpty)
        #expect(plays.description.contains("plays everywhere: yes"))
        let not = try MediaProbe.probe(path: SampleVideo.path("bunny-720p-vp8.webm"))
        #expect(!not.isCompliant && not.obstacles.first == "its codec is vp8, not h264")
        let error = #expect(throws: MediaError.self) { try MediaProbe.probe(path: "/nowhere/in.mp4") }
        #expect(error?.kind == .io && error?.subject == "/nowhere/in.mp4")
    }
}
