import Glibc
import TestSupport
import Testing
import WayreelCore
import WayreelStory
import WayreelStoryMedia

/// The files of a story are of the kinds that it names, by their first bytes, and missing ones have a neighbour.
@Suite struct MediaFileTests {
    private let folder = TemporaryFolder()

    private func issues(_ contents: [String]) throws -> [String] {
        let events = contents.enumerated().map {
            StorySamples.event("e\($0.offset)", at: (Double($0.offset) / 100, 0), content: $0.element)
        }
        return try StorySamples.read(StorySamples.chapter(events.joined(separator: "\n"))).checked(in: folder.path)
            .issues.map { "\($0.line): \($0.message)" }
    }

    private func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try OutputFile.write(Array(bytes), to: "\(folder.path)/\(name)")
    }

    private static let mp4: [UInt8] = [0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("isommp42".utf8)
    private static let docx: [UInt8] = Array("PK".utf8) + [3, 4, 20, 0, 6, 0, 8, 0]

    private func image(_ name: String) -> String { "<scrapbook><image source=\"\(name)\" alt=\"A\"/></scrapbook>" }
    private func audio(_ name: String) -> String { "<radio><audio source=\"\(name)\" alt=\"A\"/></radio>" }
    private func video(_ name: String, _ more: String = "") -> String {
        "<scrapbook><video source=\"\(name)\" alt=\"A\">\(more)</video></scrapbook>"
    }

    @Test func filesOfAnotherKind() throws {
        try write([], to: "empty.jpg")
        try write(Self.docx, to: "text.jpg")
        try write(Self.mp4, to: "video.jpg")
        try write("Hello".utf8, to: "hello.mp3")
        try write(StorySamples.gif, to: "image.mp4")
        try write("fLaC".utf8, to: "sound.mp4")
        try write("Some words".utf8, to: "words.srt")
        try write("1\n00:00:01,000 --> 00:00:02,000\nHello\n".utf8, to: "good.srt")
        let captions = ["words.srt", "good.srt", "video.jpg", "image.mp4"].map { "<captions source=\"\($0)\"/>" }
        let contents = [
            image("empty.jpg"), image("text.jpg"), image("video.jpg"), audio("hello.mp3"), audio("image.mp4"),
            video("sound.mp4"), audio("sound.mp4"), audio("video.jpg"), video("video.jpg", captions.joined()),
        ]
        let give =
            "give a SubRip or WebVTT file, with lines such as 00:00:01,000 --> 00:00:04,000, or a video with subtitles"
        #expect(
            try issues(contents) == [
                "2: 'empty.jpg': the file is empty; copy it to the story's folder again",
                "3: 'text.jpg': looks like a ZIP archive or an office document, not like an image; export an image from it",
                "4: 'video.jpg': looks like an MP4 or QuickTime video, not like an image; name it as a video in a scrapbook, "
                    + "or take a still from it",
                "5: 'hello.mp3': looks like plain text, not like audio; export audio from it",
                "6: 'image.mp4': looks like an image, not like audio; name images as images",
                "7: 'sound.mp4': looks like a FLAC audio file, not like a video; name audio in a radio event",
                "10: 'words.srt': has no times of captions; \(give)",
                "10: 'image.mp4': looks like an image, not like captions; \(give)",
            ])
    }

    /// Those of translations have to be there, and of the kind of the file that they stand for.
    @Test func filesOfTranslations() throws {
        for name in ["a.gif", "de.gif", "moved.gif"] { try write(StorySamples.gif, to: name) }
        try write(Self.mp4, to: "de.mp4")
        let texts = [
            ("event/e/scrapbook/1/source", "de.gif"), ("event/e/scrapbook/1/alt", "de.mp4"),
            ("event/f/scrapbook/1/source", "de.mp4"), ("event/g/scrapbook/1/source", "it.gif"),
            ("event/h/scrapbook/1/source", "../de.gif"),
        ]
        let events = ["e", "f", "g", "h"].enumerated().map {
            StorySamples.event($0.element, at: (Double($0.offset) / 100, 0), content: image("a.gif"))
        }
        let entries = texts.map { "\n<text key=\"\($0)\">\($1)</text>" }.joined()
        let story = StorySamples.chapter(events.joined()).replacing(
            "</story>", with: "\n<translation language=\"de\">\(entries)</translation></story>")
        let found = try StorySamples.read(story).checked(in: folder.path)
        #expect(
            found.issues.map { "\($0.line): \($0.message)" } == [
                "7: 'de.mp4': looks like an MP4 or QuickTime video, not like an image; name it as a video in a scrapbook, "
                    + "or take a still from it",
                "8: 'it.gif': no such file or directory; did you mean 'a.gif'?",
                "9: '../de.gif': leads out of the story's folder; use a path in the story's folder",
            ])
        #expect(found.soundMedia.map(\.source) == ["a.gif", "de.gif"])
        #expect(try found.uses("\(folder.path)/de.gif", in: folder.path))
    }

    /// Files of Media, which other programs made.
    @Test func filesOfTheirKinds() throws {
        let media = Fixture.media("story")
        let document = try StoryDocument.read(path: "\(media)/story.xml").checked(in: media)
        #expect(document.issues.isEmpty, "\(document.issues)")
    }

    /// Names without their folder, without an ending or with two, in typographic quotation marks, and paths of Windows.
    @Test func missingFilesAreElsewhere() throws {
        mkdir("\(folder.path)/images", 0o755)
        for name in ["a.gif", "tower.gif.gif"] { try write(StorySamples.gif, to: "images/\(name)") }
        let names = [
            "a.gif", "fotos/A.GIF", "images/a", "images/tower.gif", "“images/a.gif”", "C:/Users/me/a.gif",
            "images\\a.gif",
        ]
        let missing = "no such file or directory"
        #expect(
            try issues(names.map(image)) == [
                "2: 'a.gif': \(missing); did you mean 'images/a.gif'?",
                "3: 'fotos/A.GIF': \(missing); did you mean 'images/a.gif'?",
                "4: 'images/a': \(missing); did you mean 'images/a.gif'?",
                "5: 'images/tower.gif': \(missing); did you mean 'images/tower.gif.gif'?",
                "6: '“images/a.gif”': \(missing); “ and ” are no quotation marks here: write \"images/a.gif\"",
                "7: 'C:/Users/me/a.gif': \(missing); did you mean 'images/a.gif'?",
                "8: 'images\\a.gif': holds a backslash; write / between a folder and a file",
            ])
    }

    /// É is one character (NFC), or E with an accent (NFD, as macOS writes it).
    @Test func missingFilesHaveANeighbour() throws {
        mkdir("\(folder.path)/Images", 0o755)
        try write(StorySamples.gif, to: "Images/IMG_1.HEIC")
        try write(StorySamples.gif, to: "E\u{301}glise.gif")
        let names = [
            "images/img_1.heic", "\u{C9}glise.gif", "\u{E9}glise.gif", "eglize.jpg", "Images/IMG_l.HEIC", "nothing.png",
        ]
        #expect(
            try issues(names.map(image)) == [
                "2: 'images/img_1.heic': no such file or directory; did you mean 'Images/IMG_1.HEIC'?",
                "3: '\u{C9}glise.gif': no such file or directory; there is 'E\u{301}glise.gif', whose accents are encoded in "
                    + "another way; rename the file, or copy its name",
                "4: '\u{E9}glise.gif': no such file or directory; did you mean 'E\u{301}glise.gif'?",
                "5: 'eglize.jpg': no such file or directory",
                "6: 'Images/IMG_l.HEIC': no such file or directory; did you mean 'Images/IMG_1.HEIC'?",
                "7: 'nothing.png': no such file or directory",
            ])
    }
}
