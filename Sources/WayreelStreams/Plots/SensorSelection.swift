public import WayreelCore
internal import WayreelDrawing

/// Channels of a plot, and how their lane looks.
///
///     try SensorSelection(parsing: "ecg.*")
///     try SensorSelection(parsing: "heading.degrees:unit=°,range=0..360,line=steps,threshold=180")
public struct SensorSelection: Hashable, Sendable {
    public enum Range: Hashable, Sendable {
        /// All values that are drawn.
        case all
        /// All but the most extreme hundredth of the time at either end, whose values are marked at the edge.
        case robust
        case fixed(ClosedRange<Double>)
    }

    public enum Line: String, Hashable, Sendable, Codable, CaseIterable {
        case line
        /// Each value holds until the next one.
        case steps
        case points
    }

    public enum Scale: String, Hashable, Sendable, Codable, CaseIterable {
        case linear, log
    }

    /// `stream.component`, a stream or a component of any stream; `*` stands for any characters.
    public var pattern: String
    /// The unit to draw in: values are converted from the recording's unit if both are units of one quantity with SI
    /// prefixes, such as µV and mV; otherwise it names the unit. nil for that of the recording.
    public var unit: String?
    /// The name of the channel in the plot; its own if nil.
    public var label: String?
    public var range = Range.all
    public var scale = Scale.linear
    public var line = Line.line
    /// The theme's if nil.
    public var color: RGBColor?
    /// Channels with the same name share a lane; nil: a lane for each channel.
    public var lane: String?
    /// Values at which a line across the lane is drawn.
    public var thresholds: [Double] = []

    public init(_ pattern: String) { self.pattern = pattern }

    /// Parses `PATTERN:KEY=VALUE,KEY=VALUE,…`; a threshold may be repeated.
    ///
    /// Throws a `parameter` error that says what is wrong.
    public init(parsing text: String) throws(MediaError) {
        let fault = ErrorSite(
            .parameter, step: .plot, subject: text,
            advice: "write it as in 'ecg.*' or heading.degrees:unit=°,range=0..360")
        let colon = text.firstIndex(of: ":") ?? text.endIndex
        pattern = String(text[..<colon])
        guard Self.isPattern(pattern) else {
            throw fault(
                "'\(pattern)' is neither a stream nor a component nor stream.component, with * for any characters")
        }
        guard colon < text.endIndex else { return }
        var seen: Set<String> = []
        for part in text[text.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, !sides[1].isEmpty else { throw fault("'\(part)' is not a key with a value") }
            guard seen.insert(sides[0]).inserted || sides[0] == "threshold" else {
                throw fault("\(sides[0]) is given twice")
            }
            try set(sides[0], sides[1], fault)
        }
    }

    /// The largest magnitude of a range and of thresholds.
    private static let maxValue = 1e300

    private static let keys = ["unit", "label", "range", "scale", "line", "color", "lane", "threshold"]

    private mutating func set(_ key: String, _ value: String, _ fault: ErrorSite) throws(MediaError) {
        switch key {
        case "unit": unit = try Self.short(value, key, fault)
        case "label": label = try Self.short(value, key, fault)
        case "lane": lane = try Self.short(value, key, fault)
        case "range": range = try Self.range(value, fault)
        case "scale": scale = try Self.word(value, key, fault)
        case "line": line = try Self.word(value, key, fault)
        case "color":
            guard let color = RGBColor(value) else {
                throw fault("'\(value)' is not a colour", "use #fff, #ffffff, #ffffff80 or a name such as navy")
            }
            self.color = color
        case "threshold":
            guard let threshold = DecimalNumber.value(value) else {
                throw fault("the threshold '\(value)' is not a number")
            }
            guard threshold.magnitude <= Self.maxValue else {
                throw fault("the threshold '\(value)' is beyond ±\(Self.maxValue)")
            }
            guard thresholds.count < 16 else { throw fault("has more than 16 thresholds") }
            thresholds.append(threshold)
        default:
            let near = nearestName(to: key, in: Self.keys)
            throw fault(
                "there is no '\(key)'",
                near.map { "did you mean '\($0)'?" } ?? "use one of \(Self.keys.joined(separator: ", "))")
        }
    }

    private static func short(_ text: String, _ key: String, _ fault: ErrorSite) throws(MediaError) -> String {
        guard text.count <= 64 else { throw fault("the \(key) has more than 64 characters") }
        return text
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ text: String, _ key: String, _ fault: ErrorSite
    ) throws(MediaError) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: text) else {
            throw fault("the \(key) is \(Word.allCases.map(\.rawValue).joined(separator: " or ")), not '\(text)'")
        }
        return word
    }

    private static func range(_ text: String, _ fault: ErrorSite) throws(MediaError) -> Range {
        if text == "all" { return .all }
        if text == "robust" { return .robust }
        let words = text.split(separator: "..", omittingEmptySubsequences: false).map { DecimalNumber.value($0) }
        guard words.count == 2, let lower = words[0], let upper = words[1], lower < upper else {
            throw fault("the range is two numbers, the lower first, as in -1..1, or all, or robust; not '\(text)'")
        }
        guard max(lower.magnitude, upper.magnitude) <= maxValue else {
            throw fault("the range '\(text)' goes beyond ±\(maxValue)")
        }
        return .fixed(lower...upper)
    }

    // MARK: Patterns

    private static func isPattern(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (1...2).contains(parts.count)
            && parts.allSatisfy { part in
                SensorSample.isName(part.map { $0 == "*" ? "x" : String($0) }.joined())
            }
    }

    /// Whether the channel is one of these.
    public func includes(_ channel: SensorChannel) -> Bool { channel.matches(pattern) || channel.hasComponent(pattern) }

    /// Whether it names the stream or the component of a channel that a filter adds, such as `ecg-beats.bpm`: only then has
    /// that a lane.
    func names(_ channel: SensorChannel) -> Bool {
        let first = pattern.split(separator: ".").first ?? ""
        return includes(channel) && (first == channel.stream || first == channel.component)
    }
}
