internal import TestSupport
internal import Testing
internal import WayreelCore
internal import WayreelVideo

@Suite struct PackagingTests {
    @Test func plays() throws {
        try Fixture.withFolder { folder in
            try PackagingSample.make(at: folder + "/a.mp4")
            var small = PackagingSample.Clip()
            small.size = "96x54"
            try PackagingSample.make(small, at: folder + "/b.mp4")
            let report = try PackagingSample.package([folder + "/a.mp4", folder + "/b.mp4"], at: folder + "/hls")
            print(report)
            try SampleVideo.run("cp", ["-r", folder + "/hls", "/tmp/pk/hls"])
        }
    }
}
