internal import WayreelCore
internal import WayreelVideo

/// The file names of a package.
enum HLSNames {
    static let master = "master.m3u8"
    static let playlist = "playlist.m3u8"
    static let keyFrames = "iframes.m3u8"
    static let initSegment = "init.mp4"
    static let key = "segments.key"
    static let audio = "audio"
    static let preview = "preview"
    static let cues = "thumbnails.vtt"
    static let chapters = "chapters.json"

    static func rendition(_ index: Int, _ size: PixelSize) -> String { "\(index + 1)-\(size.width)x\(size.height)" }
    static func segment(_ number: Int) -> String { "segment-\(String(number, paddedTo: 5)).m4s" }
    static func keyFrame(_ number: Int) -> String { "iframe-\(String(number, paddedTo: 5)).m4s" }
    /// Returns the folder of one audio track among several, numbered from 1.
    static func audio(_ number: Int, _ language: LanguageCode?) -> String {
        "\(audio)-\(number)" + (language.map { "-\($0.tag)" } ?? "")
    }
    static func subtitles(_ number: Int, _ language: LanguageCode?) -> String {
        "subtitles-\(number)" + (language.map { "-\($0.tag)" } ?? "")
    }
    static func subtitleSegment(_ number: Int) -> String { "segment-\(String(number, paddedTo: 5)).vtt" }
    static func sheet(_ number: Int) -> String { "sheet-\(number).jpg" }
}
