import TestSupport
import Testing

/// A story with one event, which shows one image.
enum MillStory {
    static let document = """
        <story xmlns="urn:wayreel:story:1" id="mill" language="en"><name>The Mill</name><chapter id="one"><name>One</name>
        <event id="wheel"><name>Wheel</name><position latitude="35.28" longitude="-120.66"/><activation radius="20"/>
        <scrapbook><image source="town.jpg" alt="A town"/></scrapbook></event></chapter></story>
        """

    /// Prepares the story, or another `document` with its image, into `bundles/mill`.
    static func prepare(in bench: Workbench, _ document: String = document) throws {
        _ = try bench.shell("mkdir -p story bundles; cp \(Fixture.root)/Media/story/images/arezzo.jpg story/town.jpg")
        try bench.write(document, to: "story/story.xml")
        expectDone(try bench.wayreel("prepare", "story/story.xml", "-o", "bundles/mill", "--screen", "320x240", "-q"))
    }
}

extension Workbench {
    /// Writes a file of keys with one key, whose 32 bytes are the same.
    func writeKey(_ byte: String, as id: String) throws {
        try write("\(id):\(String(repeating: byte, count: 32))\n", to: "keys.txt")
    }
}
