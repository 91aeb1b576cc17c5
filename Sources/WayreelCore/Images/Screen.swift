/// A display that images are prepared for.
public struct Screen: Hashable, Sendable, CustomStringConvertible {
    /// Kebab case (`iphone-4s`), or `640x960` for a screen given by its size.
    public let name: String
    /// The product name: `iPhone 4S`.
    public let label: String
    /// In pixels and in the device's natural orientation: phones and tablets portrait, televisions landscape. A side of
    /// 0 follows from the aspect ratio of the content.
    public let size: PixelSize

    public init(name: String, label: String, size: PixelSize) {
        self.name = name
        self.label = label
        self.size = size
    }

    /// Parses a name in ``all`` (`iphone-4s`, also `iPhone 4S`), a size in pixels (`960x640`) or one side of it
    /// (`960x`, `x640`).
    ///
    /// Throws a `parameter` error that suggests the nearest name.
    public init(parsing text: String) throws(MediaError) {
        if let size = PixelSize(sides: text, allowsOneSide: true) {
            self.init(name: text, label: size.description, size: size)
        } else if let known = Screen.named(text) {
            self = known
        } else {
            let isSize = !text.isEmpty && text.utf8.allSatisfy { "0123456789xX×-+.".utf8.contains($0) }
            throw MediaError(
                .parameter, step: .screen,
                reason: isSize
                    ? "'\(text)' is not a size; write WIDTHxHEIGHT, WIDTHx or xHEIGHT, each from 1 to 1000000"
                    : "unknown screen '\(text)'",
                advice: nearestName(to: Self.plain(text), in: Self.all.map(\.name)).map { "did you mean '\($0)'?" }
                    ?? (isSize ? nil : "use WIDTHxHEIGHT, or a name from \(.screenNames)"))
        }
    }

    /// The named screens in the order of `Filters/screens.csv`, read on first use.
    public static let all = table(Presets.screens)

    /// Looks up a screen by name, ignoring case; spaces and underscores match hyphens.
    public static func named(_ name: String) -> Screen? { byName[plain(name)] }

    /// `iphone-4s: 640×960`.
    public var description: String { "\(name): \(size)" }

    private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    private static func plain(_ name: String) -> String {
        String(name.lowercased().map { $0 == " " || $0 == "_" ? "-" : $0 })
    }

    /// Parses the rows of a CSV table and skips invalid ones (a test checks that there are none).
    private static func table(_ csv: [UInt8]) -> [Screen] {
        csv.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { row in
            let cells = row.split(separator: UInt8(ascii: ","), maxSplits: 2).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard cells.count == 3, let size = PixelSize(cells[1]) else { return nil }
            return Screen(name: cells[0], label: cells[2], size: size)
        }
    }
}

extension Screen: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(parsing: decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        let sides = [size.width, size.height].map { $0 == 0 ? "" : String($0) }
        try encoder.encode(text: Self.named(name) == self ? name : sides.joined(separator: "x"))
    }
}
