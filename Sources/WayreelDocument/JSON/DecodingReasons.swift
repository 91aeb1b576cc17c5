internal import WayreelCore

extension Decoder {
    /// Throws if the JSON object has a member with another name. What is ignored would be lost.
    package func refuseMembers(except names: [String]) throws {
        let container = try container(keyedBy: CaseKey.self)
        guard let other = container.allKeys.map(\.stringValue).sorted().first(where: { !names.contains($0) }) else {
            return
        }
        throw DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription:
                    "has the unknown key '\(other.prefix(100))'; known are \(names.joined(separator: ", "))"))
    }
}

extension DecodingError {
    /// The error in a JSON document as a message for its author: `'found[0].timestamp' is missing`.
    package var reason: String {
        switch self {
        case .keyNotFound(let key, let context): return "'\(Self.text(context.codingPath + [key]))' is missing"
        case .valueNotFound(_, let context): return "\(Self.subject(context))is null"
        case .typeMismatch(let type, let context): return "\(Self.subject(context))is not \(Self.name(of: type))"
        case .dataCorrupted(let context):
            // The parser's own message is not helpful to users.
            if context.debugDescription.hasPrefix("The given data") { return "is not JSON" }
            let place = Self.text(context.codingPath)
            return place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
        @unknown default: return "\(self)"
        }
    }

    private static func subject(_ context: Context) -> String {
        context.codingPath.isEmpty ? "" : "'\(text(context.codingPath))' "
    }

    private static func text(_ path: [any CodingKey]) -> String {
        let text = path.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        return text.hasPrefix(".") ? String(text.dropFirst()) : text
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Double.Type: "a number"
        case is Int.Type: "a whole number"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}
