import TestSupport
import Testing
import WayreelBench
import WayreelCore

@Suite struct ProgramVersionsTests {
    /// The first output of the programs, in Debian 12.
    @Test(arguments: [
        ("ffmpeg version 5.1.9-0+deb12u1 Copyright (c) 2000-2026 the FFmpeg developers\nbuilt with", "5.1.9-0+deb12u1"),
        ("vips-8.14.1\n", "8.14.1"),
        ("Version: ImageMagick 6.9.11-60 Q16 x86_64 2021-01-25 https://imagemagick.org\n", "6.9.11-60"),
        ("sox:      SoX v14.4.2\n", "14.4.2"),
        ("xargs (GNU findutils) 4.9.0\n", "4.9.0"),
        ("usage: no version.\n1.2\n", nil), ("", nil),
    ])
    func areFoundInWhatProgramsSay(_ text: String, _ version: String?) {
        #expect(ProgramVersions.version(in: text) == version)
    }

    @Test func areQueriedOnce() throws {
        try Fixture.withFolder { folder in
            let path = "\(folder)/a tool's"
            let script = "#!/bin/sh\necho >> '\(folder)/asked'; test \"$1\" = --version && echo tool 1.4\n"
            try SampleProgram.write(script, to: path)
            var versions = ProgramVersions()
            for _ in 0..<2 { try versions.ask(path, cancellation: Cancellation()) }
            let broken = "\(folder)/broken"
            try SampleProgram.write(
                "#!/bin/sh\necho >> '\(folder)/asked'; echo libtool.so.1.2 is missing; exit 127\n", to: broken)
            for _ in 0..<2 { try versions.ask(broken, cancellation: Cancellation()) }
            try versions.ask("\(folder)/none", cancellation: Cancellation())
            #expect(versions.found == ["a tool's": "1.4"])
            #expect(try Fixture.bytes("\(folder)/asked").count == 2)
        }
    }
}
