public import WayreelCore

/// A filter of sensor samples: its name, target and arguments.
///
///     try SensorFilter(parsing: "heading:smooth=0.5s")
///     try SensorFilter(parsing: "position.accuracy:max=50")
///     try SensorFilter(parsing: "heading:gyro=rotation.z,interval=2s")
///
/// ``SensorFilterCatalog`` defines and checks names and arguments.
public struct SensorFilter: Hashable, Sendable {
    /// The streams or components that the filter is applied to.
    public var target: Target
    public var name: String
    /// The arguments by the keys of the filter's parameters; the first parameter has the name of the filter.
    public var arguments: [String: String]

    public init(_ target: Target, _ name: String, _ arguments: [String: String]) {
        self.target = target
        self.name = name
        self.arguments = arguments
    }

    /// Parses `TARGET:FILTER=VALUE,KEY=VALUE,…`; the target is a stream, a component or `stream.component`.
    ///
    /// Throws a `parameter` error if the text is not a filter.
    public init(parsing text: String) throws(MediaError) {
        let fault = ErrorSite(
            .parameter, step: .filter, subject: text,
            advice: "write it as in heading:smooth=0.5s or accuracy:max=50")
        guard let colon = text.firstIndex(of: ":") else { throw fault("has no ':' after the stream or component") }
        guard let target = Target(text[..<colon]) else {
            throw fault("'\(text[..<colon])' is neither a stream nor a component nor a stream.component")
        }
        var arguments: [String: String] = [:]
        var name: String?
        for part in text[text.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else {
                throw fault("'\(part)' is not a key with a value")
            }
            let key = String(sides[0])
            guard arguments[key] == nil else { throw fault("\(key) is given twice") }
            if name == nil { name = key }
            arguments[key] = String(sides[1])
        }
        self.init(target, name ?? "", arguments)
    }

    /// The components that a filter is applied to.
    public struct Target: Hashable, Sendable, CustomStringConvertible {
        private let first: String
        private let component: String?

        /// Parses a target: a stream, which means all of its components except `accuracy`; a component, in any
        /// stream; or `stream.component`.
        public init?(_ text: some StringProtocol) {
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.allSatisfy({ SensorSample.isName($0) }), let first = parts.first else { return nil }
            self.first = String(first)
            component = parts.count > 1 ? String(parts[1]) : nil
        }

        func includes(_ component: String, of stream: String) -> Bool {
            if let only = self.component { return stream == first && component == only }
            return component == first || stream == first && component != "accuracy"
        }

        /// Whether the target is a stream as a whole.
        func isStream(_ stream: String) -> Bool { component == nil && stream == first }

        func isIn(_ sample: SensorSample) -> Bool {
            sample.values.names.contains { includes($0, of: sample.stream) }
        }

        public var description: String { component.map { "\(first).\($0)" } ?? first }
    }
}
