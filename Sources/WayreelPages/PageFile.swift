internal import CPages
internal import Crypto
internal import WayreelCore

/// A file of a page, embedded in the binary.
package struct PageFile: Sendable {
    /// The path relative to the page's folder.
    package let path: String
    /// UTF-8 text; of scripts without their comments.
    package let bytes: [UInt8]
    /// The SHA-256 of ``bytes`` in hexadecimal digits.
    package let hash: String

    /// Whether the page asks for the file. Modules and styles that are joined are there for those who look at them by the
    /// source map.
    package let isRequested: Bool

    /// Whether a service worker stores the file with the first visit.
    ///
    /// The extras for players are stored too, so that all of a downloaded story opens without a network: 45 kB at most. Those
    /// for authors are stored when they are first used, as no player has to load them.
    package let isStored: Bool

    /// The files of the web player, from `Player/`, in the order of their paths, and its joined scripts and styles.
    package static let player = joined(
        files(in: "Player/"),
        JoinedNames(
            entry: "app.js", start: "player.js", rest: "player-views.js",
            extras: [
                .init(path: "player-codes.js", folders: ["codes/"]),
                .init(path: "player-collections.js", folders: ["collections/"]),
                .init(path: "player-ground.js", folders: ["ground/"]),
                .init(path: "player-plans.js", folders: ["plans/"]),
                .init(path: forAuthors, folders: ["preview/", "charts/"]),
                .init(path: "player-sharing.js", folders: ["sharing/"]),
            ], workers: ["ground/ground-worker.js": "player-ground-worker.js"], style: "player.css"))

    private static let forAuthors = "player-preview.js"

    /// The files of the page that documents the service, from `APIPage/`, and those that it shares with the player.
    package static let apiPage = joined(
        files(in: "APIPage/") + files(in: "Player/").filter { shared.contains($0.path) },
        JoinedNames(
            folder: "api/", entry: "api-page.js", start: "requests.js", rest: "requests-views.js", style: "requests.css"
        ))

    /// The files of the pages that show live streams and send a device's sensors, from `StreamsPage/`, and those that they
    /// share with the player: `index.html` and `sensors.html`, which name the others below `streams/`.
    package static let streamsPage =
        files(in: "StreamsPage/")
        + files(in: "Player/").filter {
            shared.contains($0.path) || ofStreams.contains($0.path) || $0.path.hasPrefix("charts/")
        }

    /// The files of `Documentation/` that describe the service, by their names.
    package static let documents = Dictionary(
        uniqueKeysWithValues: files(in: "Documentation/").map { ($0.path, $0.bytes) })

    private static let shared: Set<String> = [
        "components/element.js", "styles/base.css", "styles/tokens.css", "waymark.svg",
    ]

    /// What only the pages of live streams share with the player.
    private static let ofStreams: Set<String> = ["components/icon.js", "journal/account.js", "sensors/attitude.js"]

    private struct JoinedNames {
        /// What precedes the paths of files in the page.
        var folder = ""
        var entry: String
        var start: String
        var rest: String
        var extras: [JoinedScripts.Extra] = []
        var workers: [String: String] = [:]
        var style: String
    }

    /// Adds the joined scripts and styles of a page, which then requests these: a browser asks for each file that it needs
    /// anew, and for all of them once more when it installs the page.
    ///
    /// Files that cannot be joined stay as they are, so that the page works in any case.
    private static func joined(_ files: [PageFile], _ names: JoinedNames) -> [PageFile] {
        guard let index = files.firstIndex(where: { $0.path == "index.html" }) else { return files }
        let texts = Dictionary(files.map { ($0.path, $0.bytes) }) { first, _ in first }
        var (lines, first, styles): ([Substring], [String], [String]) = ([], [], [])
        for line in String(decoding: files[index].bytes, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            func path(_ start: String, _ end: String) -> String? {
                let code = line.drop { $0 == " " }
                guard code.hasPrefix(start + names.folder), code.hasSuffix(end) else { return nil }
                return String(code.dropFirst(start.count + names.folder.count).dropLast(end.count))
            }
            if let module = path(#"<link rel="modulepreload" href=""#, #"">"#) {
                first.append(module)
            } else if let style = path(#"<link rel="stylesheet" href=""#, #"">"#) {
                if styles.isEmpty { lines.append(#"  <link rel="stylesheet" href="\#(names.folder)\#(names.style)">"#) }
                styles.append(style)
            } else if path(#"<script type="module" src=""#, #""></script>"#) == names.entry {
                lines.append(#"  <script type="module" src="\#(names.folder)\#(names.start)"></script>"#)
            } else if path("<!--", "-->") == nil {
                lines.append(line)
            }
        }
        let sheets = styles.compactMap { texts[$0] }
        guard sheets.count == styles.count,
            let joined = try? JoinedScripts(
                texts, entry: names.entry, first: first, start: names.start, rest: names.rest, extras: names.extras,
                workers: names.workers)
        else { return files }
        let hidden = joined.paths.union(styles)
        var result = files.map { file in
            PageFile(file.path, file.bytes, isRequested: !hidden.contains(file.path))
        }
        result[index] = PageFile("index.html", Array(lines.joined(separator: "\n").utf8), isRequested: true)
        result.append(PageFile(names.style, Array(sheets.joined()), isRequested: true))
        for script in joined.scripts {
            let text = ScriptText.withoutIndentation(Array(script.text.utf8))
            result.append(PageFile(script.path, text, isRequested: true))
            result.append(PageFile("\(script.path).map", Array(script.map.utf8), isRequested: false))
        }
        return result
    }

    private static func files(in folder: String) -> [PageFile] {
        var files: [PageFile] = []
        var row = wr_page_files()
        while let path = row?.pointee.path, let text = row?.pointee.text {
            let name = String(cString: path)
            if name.hasPrefix(folder) {
                let bytes = Array(String(cString: text).utf8)
                files.append(
                    PageFile(
                        String(name.dropFirst(folder.count)),
                        name.hasSuffix(".js") ? ScriptText.withoutComments(bytes) : bytes, isRequested: true))
            }
            row = row?.successor()
        }
        return files
    }

    private init(_ path: String, _ bytes: [UInt8], isRequested: Bool) {
        (self.path, self.bytes, self.isRequested) = (path, bytes, isRequested)
        isStored = isRequested && path != Self.forAuthors
        hash = SHA256.hash(data: bytes).hexadecimal
    }

    /// Returns the file with another content.
    func with(_ bytes: [UInt8]) -> PageFile { PageFile(path, bytes, isRequested: isRequested) }

    /// The IANA media type.
    package var type: String { Self.types[path.split(separator: ".").last.map(String.init) ?? ""] ?? "text/plain" }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "json": "application/json", "map": "application/json", "svg": "image/svg+xml",
        "webmanifest": "application/manifest+json",
    ]
}

/// Leaves out of scripts what no browser needs: comments are a quarter of their bytes, indentation 7 % of the rest.
enum ScriptText {
    private static let newline = UInt8(ascii: "\n")

    /// Returns the script with empty lines in place of comment lines, so that the others keep their
    /// numbers.
    ///
    /// Comments are lines that begin with `//`, and those from one that begins with `/*` to one that ends with `*/`.
    /// Whatever else holds these characters, such as a text with an address, is left as it is.
    static func withoutComments(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var isWithinComment = false
        for (index, line) in text.split(separator: newline, omittingEmptySubsequences: false).enumerated() {
            if index > 0 { result.append(newline) }
            let code = line.drop { $0 == UInt8(ascii: " ") }
            let isBlock = isWithinComment || code.starts(with: "/*".utf8)
            let isEnd = code.suffix(2).elementsEqual("*/".utf8)
            if isBlock { isWithinComment = !isEnd } else if !code.starts(with: "//".utf8) { result += line }
        }
        return result
    }

    /// Returns the script, which has no comments, without the spaces at the beginnings of its lines. Texts in backquotes
    /// that go over several lines keep theirs.
    static func withoutIndentation(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var isWithinText = false
        for (index, line) in text.split(separator: newline, omittingEmptySubsequences: false).enumerated() {
            if index > 0 { result.append(newline) }
            result += isWithinText ? line : line.drop { $0 == UInt8(ascii: " ") }
            // A backquote within another text only keeps more.
            if !line.count(where: { $0 == UInt8(ascii: "`") }).isMultiple(of: 2) { isWithinText.toggle() }
        }
        return result
    }
}

/// The page's permissions in a browser, limited to its own resources. A story's text, images and URLs cannot run code.
package enum PagePolicy {
    /// `Content-Security-Policy`. Images and media that the player creates on the device are `blob:` URLs. Pages with an
    /// origin of `frameAncestors` may show the page in a frame.
    package static func content(frameAncestors: [String] = ["'none'"]) -> String {
        (fixed + ["frame-ancestors \(frameAncestors.joined(separator: " "))"]).joined(separator: "; ")
    }

    private static let fixed = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "media-src 'self' blob:",
        "font-src 'self'", "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'",
        "form-action 'none'",
    ]

    /// `Permissions-Policy`: the sensors that a story may need, only for the page itself.
    package static let permissions = [
        "geolocation=(self)", "camera=(self)", "accelerometer=(self)", "gyroscope=(self)", "magnetometer=(self)",
        "microphone=()", "payment=()", "usb=()",
    ].joined(separator: ", ")

    /// Likewise of the pages of live streams, one of which sends what the device measures.
    package static let sensorPermissions = [
        "geolocation=(self)", "camera=()", "accelerometer=(self)", "gyroscope=(self)", "magnetometer=(self)",
        "microphone=(self)", "payment=()", "usb=()",
    ].joined(separator: ", ")

    /// `Content-Security-Policy` of a story's files: a file that is opened directly, such as an SVG with a script,
    /// cannot run code either.
    package static let media = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

    /// All headers of a page's files, by name.
    package static func headers(
        frameAncestors: [String] = ["'none'"], permissions: String = permissions
    ) -> [(String, String)] {
        [
            ("Content-Security-Policy", content(frameAncestors: frameAncestors)), ("Permissions-Policy", permissions),
            ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
        ]
    }
}
