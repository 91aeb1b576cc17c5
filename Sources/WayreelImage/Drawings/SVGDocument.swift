package import WayreelCore
internal import WayreelDocument
internal import WayreelDrawing

/// An SVG document whose size is known, and that is complete in itself.
///
/// It is checked before it is drawn, so that its author is told what would be missing; that nothing else is opened is
/// librsvg's part, which draws it without an address.
package struct SVGDocument {
    /// The width and height of its `viewBox`, else those of the document in pixels of CSS.
    package let width: Double
    package let height: Double
    private let bytes: MediaBytes

    /// The most bytes of a document.
    package static let maxBytes = 16 << 20
    /// The sides are from one to so many units.
    private static let maxSide = 100_000.0

    /// Whether a file begins as an SVG document.
    package static func isSVG(path: String) -> Bool {
        MediaSignature(ofFile: path) == .other(FormatSignature.drawingName)
    }

    /// Reads the document at a path.
    ///
    /// Throws a `decoding` error if it is not well-formed or has no size, an `unsupported` error if it refers to other
    /// files or declares entities, and a `limit` error if it has more than ``maxBytes``.
    package init(path: String, task: TaskContext = TaskContext()) throws(MediaError) {
        try self.init(try MediaBytes.read(path: path, limit: Self.maxBytes, task: task))
    }

    init(_ bytes: MediaBytes) throws(MediaError) {
        try SharedLibrary.libxml2.require(step: .read)
        let reading = Reading(bytes)
        let isComplete = withExtendedLifetime(bytes) { XMLEvents.parse(bytes.buffer, to: reading) }
        if let fault = reading.refusal { throw fault }
        guard isComplete, reading.fault == nil else {
            throw MediaError(
                .decoding, code: .damaged, step: .read,
                reason: "the SVG drawing is damaged: \(reading.fault ?? "it ends early")",
                advice: "open it in a browser or in Inkscape, and save it again")
        }
        guard let size = reading.size else {
            throw MediaError(
                .decoding, step: .read, reason: "the SVG drawing has neither a viewBox nor a width and a height",
                advice: "save it with a viewBox")
        }
        guard (1...Self.maxSide).contains(size.width), (1...Self.maxSide).contains(size.height) else {
            throw MediaError(
                .limit, step: .read,
                reason: "the SVG drawing has \(size.width.shortDescription) × \(size.height.shortDescription) units",
                advice: "give its viewBox sides of 1 to \(Int(Self.maxSide)) units")
        }
        (width, height) = size
        self.bytes = bytes
    }

    /// Returns the size in pixels at which the drawing has a width, or a height, and neither side is longer than
    /// `longest`.
    package func pixels(width wanted: Int, orHeight high: Int, longest: Int) -> PixelSize {
        let scale = wanted > 0 ? Double(wanted) / width : Double(high) / height
        let bounded = min(scale, Double(longest) / max(width, height))
        func side(_ units: Double) -> Int { max(1, Int((units * bounded).rounded())) }
        return PixelSize(width: side(width), height: side(height))
    }

    /// Draws it to a PNG; see ``SVGPicture``.
    package func png(size: PixelSize) throws(MediaError) -> [UInt8] {
        let sink = MemorySink()
        try draw(size: size).writePNG(to: sink)
        return sink.bytes
    }

    func draw(size: PixelSize) throws(MediaError) -> PixelSurface {
        try withExtendedLifetime(bytes) { () throws(MediaError) in
            try SVGPicture.draw(bytes.buffer, width: width, height: height, size: size)
        }
    }
}

/// Reads the size of an SVG document, and finds what is not in it.
private final class Reading: XMLEventReceiver {
    private let bytes: MediaBytes
    private(set) var size: (width: Double, height: Double)?
    private(set) var refusal: MediaError?
    private(set) var fault: String?
    /// The names of the open elements.
    private var open: [String] = []
    /// The text of an open `style`.
    private var style: [UInt8] = []

    /// Deeper elements are refused: librsvg descends by calls.
    private static let maxDepth = 500

    init(_ bytes: MediaBytes) { self.bytes = bytes }

    func start(_ name: String, space: String?, _ attributes: XMLAttributes, at place: XMLPlace) -> Bool {
        if open.isEmpty {
            guard name == "svg" else {
                fault = "it begins with '\(name.prefix(40))'"
                return false
            }
            size = Self.size(attributes)
        }
        guard open.count < Self.maxDepth else {
            refusal = MediaError(
                .limit, step: .read, reason: "the SVG drawing has elements more than \(Self.maxDepth) deep",
                advice: "save it as plain SVG")
            return false
        }
        open.append(name)
        for (attribute, value) in attributes.all {
            // A link is drawn without being followed.
            let isReference = ["href", "src", "base"].contains(attribute) && name != "a"
            let outside = isReference ? Self.outside(value) : Self.outside(inStyle: value)
            if let outside, !refuse(outside, place) { return false }
        }
        return true
    }

    func end() -> Bool {
        let name = open.popLast()
        guard name == "style" else { return true }
        defer { style = [] }
        guard let outside = Self.outside(inStyle: String(decoding: style, as: UTF8.self)) else { return true }
        return refuse(outside, nil)
    }

    func text(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if open.last == "style" { style += bytes }
        return true
    }

    /// A declaration that names the standard is harmless; one with entities may expand without end.
    func doctype(at place: XMLPlace) -> Bool {
        let declaration = bytes.buffer.dropFirst(place.offset).prefix { $0 != UInt8(ascii: ">") }
        guard declaration.contains(UInt8(ascii: "[")) else { return true }
        refusal = MediaError(
            .unsupported, step: .read, reason: "the SVG drawing declares entities in its line \(place.line)",
            advice: "save it as plain SVG")
        return false
    }

    func fault(_ message: String, line: Int, column: Int) {
        // An undeclared prefix, as of an editor's own elements, harms nothing.
        guard !message.contains("Namespace prefix") else { return }
        fault = fault ?? "\(message) (line \(line))"
    }

    private func refuse(_ address: String, _ place: XMLPlace?) -> Bool {
        let line = place.map { " in line \($0.line)" } ?? ""
        refusal = MediaError(
            .unsupported, step: .read,
            reason: "the SVG drawing refers to '\(address.prefix(80))'\(line), which is outside of it",
            advice: "embed pictures and fonts, or save it as plain SVG")
        return false
    }

    // MARK: References

    /// Returns a reference that leads out of the document; nil for a part of it or for an embedded picture.
    private static func outside(_ reference: String) -> String? {
        let trimmed = reference.withoutSpace
        let isInside =
            trimmed.isEmpty || trimmed.hasPrefix("#")
            || ["data:image/png", "data:image/jpeg", "data:image/gif", "data:image/webp"].contains {
                trimmed.prefix($0.count).lowercased() == $0
            }
        return isInside ? nil : trimmed
    }

    /// Returns the first address in a style that leads out of the document.
    private static func outside(inStyle style: String) -> String? {
        guard style.utf8.contains(UInt8(ascii: "(")) || style.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let text = style.lowercased()
        if text.contains("@import") { return "@import" }
        for part in text.split(separator: "url(", omittingEmptySubsequences: false).dropFirst() {
            let address = part.prefix { $0 != ")" }.filter { !"\"'".contains($0) }
            if let outside = outside(String(address)) { return outside }
        }
        return nil
    }

    // MARK: The size

    private static func size(_ attributes: XMLAttributes) -> (width: Double, height: Double)? {
        if let box = attributes["viewBox"] {
            let numbers = box.split { $0.isWhitespace || $0 == "," }.map { DecimalNumber.value($0) }
            guard numbers.count == 4, let width = numbers[2], let height = numbers[3] else { return nil }
            return (width, height)
        }
        guard let width = attributes["width"].flatMap(length), let height = attributes["height"].flatMap(length) else {
            return nil
        }
        return (width, height)
    }

    /// Pixels of CSS in its absolute units (CSS Values and Units 3, section 6.2).
    private static let units: [String: Double] = [
        "": 1, "px": 1, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96.0 / 72, "pc": 16,
    ]

    private static func length(_ text: String) -> Double? {
        let trimmed = text.withoutSpace
        let unit = String(trimmed.reversed().prefix { $0.isLetter }.reversed()).lowercased()
        guard let pixels = units[unit], let number = DecimalNumber.value(trimmed.dropLast(unit.count)) else {
            return nil
        }
        return number * pixels
    }
}

extension String {
    fileprivate var withoutSpace: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
