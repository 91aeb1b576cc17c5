/// An SVG file of painted paths in relative coordinates, parsed independently of the writer (SVG 1.1, section 8.3).
package struct SVGFile {
    package struct Path {
        package var attributes: [String: String]
        /// The bounds of its points, including the control points of curves.
        package var minX = Double.infinity, minY = Double.infinity, maxX = -Double.infinity, maxY = -Double.infinity
        /// The points of each subpath.
        package var parts: [[(x: Double, y: Double)]] = []
    }

    /// The attributes of the root element.
    package var root: [String: String]
    package var paths: [Path]
    /// The content of the elements before the first path, with unresolved entities: `title`, `desc`, `style`.
    package var texts: [String: String] = [:]

    /// Returns nil if the text is not a well-formed document of an `svg` element with `path` elements in it, or if a
    /// path cannot be parsed completely.
    package init?(_ bytes: [UInt8]) {
        var text = Substring(decoding: bytes, as: UTF8.self)
        guard text.take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), text.take("<svg"),
            let root = text.takeAttributes(), text.take(">\n")
        else { return nil }
        self.root = root
        for name in ["title", "desc", "style"] where text.take("<\(name)>") {
            let content = text.prefix { $0 != "<" }
            text.removeFirst(content.count)
            guard text.take("</\(name)>\n") else { return nil }
            texts[name] = String(content)
        }
        paths = []
        while text.take("<path") {
            guard let attributes = text.takeAttributes(), text.take("/>\n"), let data = attributes["d"],
                let path = Self.read(data, attributes)
            else { return nil }
            paths.append(path)
        }
        guard text == "</svg>\n" else { return nil }
    }

    private static func read(_ data: String, _ attributes: [String: String]) -> Path? {
        var path = Path(attributes: attributes)
        var text = data.utf8[...]
        var (x, y, startX, startY) = (0.0, 0.0, 0.0, 0.0)
        func see(_ x: Double, _ y: Double) {
            (path.minX, path.maxX) = (min(path.minX, x), max(path.maxX, x))
            (path.minY, path.maxY) = (min(path.minY, y), max(path.maxY, y))
        }
        while let command = text.popFirst().map({ Character(Unicode.Scalar($0)) }) {
            var numbers: [Double] = []
            while let number = text.takeNumber() { numbers.append(number) }
            switch (command, numbers.count) {
            case ("m", 2), ("l", 2):
                (x, y) = (x + numbers[0], y + numbers[1])
                if command == "m" {
                    (startX, startY) = (x, y)
                    path.parts.append([])
                }
            case ("h", 1): x += numbers[0]
            case ("v", 1): y += numbers[0]
            case ("c", 6):
                see(x + numbers[0], y + numbers[1])
                see(x + numbers[2], y + numbers[3])
                (x, y) = (x + numbers[4], y + numbers[5])
            case ("z", 0): (x, y) = (startX, startY)
            default: return nil
            }
            see(x, y)
            if path.parts.isEmpty { return nil }
            path.parts[path.parts.count - 1].append((x, y))
        }
        return path
    }
}

extension Substring {
    fileprivate mutating func take(_ prefix: String) -> Bool {
        guard hasPrefix(prefix) else { return false }
        removeFirst(prefix.count)
        return true
    }

    /// Parses ` name="value"` any number of times; returns nil if an attribute is not well-formed or occurs twice.
    fileprivate mutating func takeAttributes() -> [String: String]? {
        var attributes: [String: String] = [:]
        while first == " " {
            removeFirst()
            guard let equals = firstIndex(of: "="), index(after: equals) < endIndex, self[index(after: equals)] == "\""
            else { return nil }
            let name = String(self[..<equals])
            let value = self[equals...].dropFirst(2).prefix { $0 != "\"" }
            guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0 == "-" }), value.endIndex < endIndex,
                !value.contains("<"), !value.contains("&"), attributes.updateValue(String(value), forKey: name) == nil
            else { return nil }
            self = self[index(after: value.endIndex)...]
        }
        return attributes
    }
}

extension Substring.UTF8View {
    /// Parses `12`, `-3.25` or `.5`, after an optional space.
    fileprivate mutating func takeNumber() -> Double? {
        var rest = drop { $0 == UInt8(ascii: " ") }
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        var (value, scale, digitCount) = (0.0, 1.0, 0)
        func takeDigits(_ body: (Double) -> Void) {
            while let byte = rest.first, (48...57).contains(byte) {
                body(Double(byte - 48))
                digitCount += 1
                rest.removeFirst()
            }
        }
        takeDigits { value = value * 10 + $0 }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            takeDigits {
                scale *= 10
                value = value * 10 + $0
            }
        }
        guard digitCount > 0 else { return nil }
        self = rest
        return (isNegative ? -value : value) / scale
    }
}
