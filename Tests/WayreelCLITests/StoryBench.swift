internal import TestSupport
internal import Testing

/// A workbench with a story of every kind of media, small enough to be prepared in one or two seconds.
struct StoryBench {
    let bench = Workbench()

    init() throws {
        bench.makeFolder("story")
        try bench.write(Fixture.bytes(Workbench.smallPhoto), to: "story/photo.jpg")
        try bench.write(Fixture.bytes(Fixture.media("overlays/badge.png")), to: "story/badge.png")
        try bench.write(Fixture.bytes(Fixture.media("radio/bunny-4s.mp3")), to: "story/radio.mp3")
        try SampleVideo.make([
            "-f", "lavfi", "-i", "testsrc2=s=320x240:r=10:d=1", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
            "yuv444p",
            bench.path("story/clip.mkv"),
        ])
        try write()
    }

    /// Writes the document, with further items in the scrapbook, and with translations.
    func write(items: String = "", name: String = "A walk", translations: String = "") throws {
        try bench.write(
            """
            <story xmlns="urn:wayreel:story:1" id="walk" language="en">
              <name>\(name)</name>
              <chapter id="first">
                <name>First</name>
                <event id="look">
                  <name>Look</name>
                  <position latitude="35.28" longitude="-120.66"/>
                  <activation radius="20"/>
                  <camera>
                    <clue>The bell</clue>
                    <sample source="photo.jpg" alt="A street"/>
                    <filter>sepia-tone:intensity=0.8</filter>
                    <overlay>badge.png@north-east+8+8</overlay>
                  </camera>
                </event>
                <event id="listen">
                  <name>Listen</name>
                  <position latitude="35.281" longitude="-120.66"/>
                  <activation radius="20"/>
                  <radio>
                    <audio source="radio.mp3" alt="Music"/>
                    <visualizer rate="20" meter="vu"/>
                  </radio>
                </event>
                <event id="read">
                  <name>Read</name>
                  <position latitude="35.282" longitude="-120.66"/>
                  <activation radius="20"/>
                  <scrapbook>
                    <text>Words</text>
                    <image source="photo.jpg" alt="A street"/>
                    <video source="clip.mkv" alt="Bars"/>
                    \(items)
                  </scrapbook>
                </event>
              </chapter>
              \(translations)
            </story>
            """, to: "story/story.xml")
    }

    /// Returns the command that prepares the story for two screens.
    func command(_ arguments: String..., output: String = "bundle") -> Command {
        bench.command(
            ["prepare", "story/story.xml", "-o", output, "--screen", "320x480", "--screen", "iphone-4s"] + arguments)
    }

    func prepare(_ arguments: String..., output: String = "bundle") throws -> Command.Outcome {
        var command = command(output: output)
        command.arguments += arguments
        return try command.run()
    }

    /// Returns the SHA-256 of every file of a bundle that players read, by sha256sum.
    func sums(_ bundle: String) throws -> String {
        try bench.shell(
            "cd \(bundle) && find . -path ./.wayreel -prune -o \\( -type f -o -type l \\) -print | LC_ALL=C sort | xargs sha256sum"
        ).text
    }

    /// Parses `made 3, reused 4` of the last line.
    func counts(_ outcome: Command.Outcome) -> (made: Int, reused: Int)? {
        guard let line = outcome.lines.last(where: { $0.contains(" made, ") }) else { return nil }
        let numbers = line.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
        return numbers.count > 1 ? (numbers[0], numbers[1]) : nil
    }
}
