public import WayreelCore

extension Filter {
    /// Parses a filter as a command line gives it: `noir`, or `sepia-tone:intensity=0.8`, or `bloom:radius=4%,intensity=0.6`.
    ///
    /// A list has slashes between its values (`color=0.6/0.45/0.3`, `point0=0/0.1`, `center=50%/25%`); a comma or backslash
    /// that belongs to a value, such as a path, has a backslash before it. Throws a `parameter` error where `text` is not of
    /// that form; whether there is such a filter is for the catalogue to say.
    public init(parsing text: String) throws(MediaError) {
        try self.init(parsing: text, at: SourcePlace(step: "filter"))
    }

    init(parsing text: String, at place: SourcePlace) throws(MediaError) {
        let colon = text.firstIndex(of: ":")
        self.init(text[..<(colon ?? text.endIndex)].trimmed)
        guard !name.isEmpty else { throw place.fault("'\(text)' has no filter's name", "write name:key=value,…") }
        guard let colon, text.index(after: colon) < text.endIndex else { return }
        do throws(MediaError) {
            let list = text[text.index(after: colon)...]
            for field in try KeyValueList.parse(list, allowsBareKeys: false, at: place) {
                arguments[field.key] = FilterArgument(parsing: field.value.text ?? "")
            }
        } catch {
            throw place.fault("\(name): \(error.reason)", error.advice ?? "write \(name):key=value,…")
        }
    }
}

extension Filter: CustomStringConvertible {
    /// As ``init(parsing:)`` takes it, the arguments in alphabetical order.
    public var description: String {
        let list = arguments.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ",")
        return list.isEmpty ? name : "\(name):\(list)"
    }
}

extension FilterArgument: CustomStringConvertible {
    /// `0.8`, `4%`, `0.6/0.45/0.3`.
    public var description: String {
        switch self {
        case .number(let number): number.shortDescription
        case .text(let text): KeyValueList.escape(text)
        case .list(let numbers): numbers.map(\.shortDescription).joined(separator: "/")
        }
    }

    /// A number where it is one, else a text.
    init(plain text: String) {
        self = Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .text(text)
    }

    /// A list where every part is a number, else the parts as one text with commas, which a filter takes for a point.
    init(parts: [some StringProtocol]) {
        let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
        self = numbers.count == parts.count ? .list(numbers) : .text(parts.joined(separator: ","))
    }

    /// A value of the command line: lengths between slashes are a list, anything else with a slash is a text, such as a path.
    fileprivate init(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        self = parts.count > 1 && parts.allSatisfy { Length($0) != nil } ? Self(parts: parts) : Self(plain: text)
    }
}
