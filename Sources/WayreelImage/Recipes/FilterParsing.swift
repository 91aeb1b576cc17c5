public import WayreelCore

extension Filter {
    /// Parses a filter from a command line: `noir`, `sepia-tone:intensity=0.8`, or `bloom:radius=4%,intensity=0.6`.
    ///
    /// List values are separated by slashes (`color=0.6/0.45/0.3`, `point0=0/0.1`, `center=50%/25%`); a comma or
    /// backslash inside a value, such as a path, is escaped with a backslash. Throws a `parameter` error for invalid
    /// syntax; the catalogue checks names and values.
    public init(parsing text: String) throws(MediaError) {
        try self.init(parsing: text, at: DocumentLocation(step: "filter"))
    }

    init(parsing text: String, at location: DocumentLocation) throws(MediaError) {
        let colon = text.firstIndex(of: ":")
        self.init(text[..<(colon ?? text.endIndex)].trimmed { $0 == " " })
        guard !name.isEmpty else { throw location.fault("'\(text)' has no filter name", "write name:key=value,…") }
        guard let colon, text.index(after: colon) < text.endIndex else { return }
        do throws(MediaError) {
            let list = text[text.index(after: colon)...]
            for field in try KeyValueList.parse(list, allowsBareKeys: false, at: location) {
                arguments[field.key] = FilterArgument(parsing: field.value.text ?? "")
            }
        } catch {
            throw location.fault("\(name): \(error.reason)", error.advice ?? "write \(name):key=value,…")
        }
    }
}

extension Filter: CustomStringConvertible {
    /// The format of ``init(parsing:)``, with arguments in alphabetical order.
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

    /// Creates a number if it parses as one, otherwise text.
    init(plain text: String) {
        self = Double(text).flatMap { $0.isFinite ? .number($0) : nil } ?? .text(text)
    }

    /// Creates a list if every part is a number, otherwise comma-separated text, which a filter may read as a point.
    init(parts: [some StringProtocol]) {
        let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
        self = numbers.count == parts.count ? .list(numbers) : .text(parts.joined(separator: ","))
    }

    /// Parses a value: lengths separated by slashes are a list, other text with a slash, such as a path, is not.
    fileprivate init(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        self = parts.count > 1 && parts.allSatisfy { Length($0) != nil } ? Self(parts: parts) : Self(plain: text)
    }
}
