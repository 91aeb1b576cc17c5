internal import Glibc
package import HTTPTypes
internal import WayreelCore

/// The parts of header fields.
enum HeaderText {
    /// Splits a list (`,`) or parameters (`;`), but not within quotes (RFC 9110, sections 5.6.1, 5.6.4 and 5.6.6). The parts
    /// have no spaces and tabs around them, and none is empty.
    static func split(_ text: some StringProtocol, at separator: Unicode.Scalar) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        // A quote and a mark that combines with it are one Character.
        let parts = Substring(text).unicodeScalars.split { scalar in
            if isEscaped {
                isEscaped = false
            } else if isQuoted, scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                isQuoted.toggle()
            } else {
                return !isQuoted && scalar == separator
            }
            return false
        }
        return parts.map { trimmed(Substring($0)) }.filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop(while: isSpace)
        return start.lastIndex { !isSpace($0) }.map { start[...$0] } ?? ""
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }
}

extension HTTPFields {
    /// Whether a list has an element, ignoring case.
    func has(_ name: HTTPField.Name, _ element: String) -> Bool {
        HeaderText.split(self[values: name].joined(separator: ","), at: ",").contains { $0.lowercased() == element }
    }
}

/// A strong entity tag (RFC 9110, section 8.8.3).
package struct EntityTag: Sendable {
    /// The tag with its quotes.
    let text: String

    package init(_ hash: String) { text = "\"\(hash)\"" }

    /// Whether an `If-None-Match` header names it, as a strong or weak tag, or is `*`.
    package func matches(ifNoneMatch header: String?) -> Bool {
        HeaderText.split(header ?? "", at: ",").contains { tag in
            tag == "*" || (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) == text
        }
    }

    /// Whether an `If-Match` header names a tag, or is `*`. Weak tags match nothing (RFC 9110, section 8.8.3.2).
    package static func matches(_ tag: String?, ifMatch header: String) -> Bool {
        HeaderText.split(header, at: ",").contains { name in
            name == "*" || tag.map { name == $0 && !$0.hasPrefix("W/") } ?? false
        }
    }
}

/// Dates of HTTP headers (RFC 9110, section 5.6.7), in seconds since 1970.
package enum HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    package static func text(_ seconds: Int) -> String {
        var (time, parts) = (seconds, tm())
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns nil for another text. The two obsolete forms, which no client has sent for decades, are ignored.
    package static func seconds(_ text: String) -> Int? {
        guard
            let found = text.wholeMatch(
                of: /[A-Z][a-z]{2}, ([0-9]{2}) ([A-Z][a-z]{2}) ([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) GMT/),
            let month = months.firstIndex(of: String(found.2))
        else { return nil }
        let numbers = [found.1, found.3, found.4, found.5, found.6].compactMap { Int32($0) }
        var parts = tm()
        (parts.tm_mday, parts.tm_mon, parts.tm_year) = (numbers[0], Int32(month), numbers[1] - 1900)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[2], numbers[3], numbers[4])
        return timegm(&parts)
    }

    /// The last change of a file.
    static func modified(_ path: String) -> Int? { (try? FileStatus(path))?.modified }
}

/// The range of bytes that a `Range` header requests (RFC 9110, section 14).
package enum RequestedRange: Equatable, Sendable {
    /// The whole content. The header is missing or ignored: it has another unit, several ranges or wrong syntax.
    case whole
    case part(Range<Int>)
    case unsatisfiable

    package init(header: String?, count: Int) {
        self = .whole
        guard let header, header.hasPrefix("bytes=") else { return }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return }
        // A number that does not fit is larger than any content.
        let numbers = ends.map { $0.isEmpty ? nil : Int($0) ?? .max }
        switch (numbers[0], numbers[1]) {
        case (let first?, let last):
            guard last.map({ $0 >= first }) ?? true else { return }
            self = first < count ? .part(first..<min(count - 1, last ?? .max) + 1) : .unsatisfiable
        case (nil, let suffix?):
            self = suffix > 0 && count > 0 ? .part(max(0, count - suffix)..<count) : .unsatisfiable
        default: return
        }
    }
}

/// The values of an `Accept` or `Accept-Encoding` header in lower case, each with its quality from 0 to 1 (RFC 9110,
/// section 12.4.2).
package struct AcceptHeader: Sendable {
    private let qualities: [String: Double]

    /// A type with parameters, as `text/plain;format=flowed`, counts as the type itself unless that is in the list, too.
    package init(_ header: String?) {
        var (plain, withParameters): ([String: Double], [String: Double]) = ([:], [:])
        for item in HeaderText.split(header ?? "", at: ",") {
            let parts = HeaderText.split(item, at: ";").map { $0.lowercased() }
            guard let name = parts.first else { continue }
            let parameters = parts.dropFirst().prefix { !$0.hasPrefix("q=") }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if parameters.isEmpty {
                plain[name] = quality
            } else {
                withParameters[name] = max(quality, withParameters[name] ?? 0)
            }
        }
        qualities = plain.merging(withParameters) { plain, _ in plain }
    }

    /// Returns the type with the highest quality; nil if none is accepted. `types` are in order of preference. Among types
    /// of the same quality, those that the header names precede those that only a wildcard matches.
    package func best(of types: [String]) -> String? {
        let rated = types.map { type in
            let range = "\(type.prefix { $0 != "/" })/*"
            return (type: type, rank: (quality(type, range, "*/*"), qualities[type] == nil ? 0 : 1))
        }
        return rated.filter { $0.rank.0 > 0 }.max { $0.rank < $1.rank }?.type
    }

    /// Returns the quality of the first of `names` that the header contains; 0 if it contains none.
    package func quality(_ names: String...) -> Double { names.lazy.compactMap { qualities[$0] }.first ?? 0 }
}

/// The media types of the files of bundles and jobs.
enum MediaType {
    /// By the ending.
    private static let types = [
        "jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "avif": "image/avif", "svg": "image/svg+xml",
        "mp4": "video/mp4", "m4a": "audio/mp4", "m4s": "video/iso.segment", "ts": "video/mp2t",
        "m3u8": "application/vnd.apple.mpegurl", "vtt": "text/vtt; charset=utf-8", "json": "application/json",
        "dat": "application/octet-stream", "woff2": "font/woff2", "mvt": "application/vnd.mapbox-vector-tile",
    ]

    /// The type of a file, by its name.
    static func of(_ name: String) -> String {
        types[name.split(separator: ".").last.map(String.init) ?? ""] ?? "application/octet-stream"
    }
}

/// The header that names a file for a browser to save.
package enum ContentDisposition {
    /// `attachment` with the name to save it under, also beyond ASCII (RFC 6266, RFC 8187).
    package static func attachment(_ name: String) -> String {
        let plain = name.filter { $0.isASCII && $0 != "\"" && $0 != "\\" && !$0.isNewline }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(PercentEncoding.encode(name))"
    }
}

/// The preferences of a request (RFC 7240).
package enum Preference {
    static let prefer = HTTPField.Name("Prefer")!
    static let applied = HTTPField.Name("Preference-Applied")!
    /// The client wants an answer before the work is done.
    package static let respondAsync = "respond-async"

    /// Whether the headers state a preference without a value, or with an empty one, which is the same.
    package static func isStated(_ name: String, in headers: HTTPFields) -> Bool {
        HeaderText.split(headers[values: prefer].joined(separator: ","), at: ",").contains { item in
            let token = HeaderText.split(item, at: ";").first?.lowercased()
            return [name, "\(name)=", "\(name)=\"\""].contains(token)
        }
    }
}
