/// A value of CBOR (RFC 8949), as far as passkeys use it: no tags and no floating-point numbers.
package indirect enum CBORValue: Hashable, Sendable {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([CBORValue: CBORValue])
    case boolean(Bool)
    case null
}

/// Reads CBOR in the form that authenticators write (CTAP2 canonical form): definite lengths in the fewest bytes, no key
/// twice. The order of keys is not checked.
package struct CBORReader {
    package struct Fault: Error {
        /// What is wrong with it.
        var reason: String
    }

    /// The deepest nesting. An attestation statement has certificates in a list in a map.
    private static let maxDepth = 6
    /// The maximum number of values in all.
    private static let maxValues = 256

    private var rest: ArraySlice<UInt8>
    private var values = 0

    private init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Reads the value at the beginning of `bytes`. Returns it with the bytes behind it. Throws a ``Fault``.
    package static func read(_ bytes: ArraySlice<UInt8>) throws(Fault) -> (value: CBORValue, rest: ArraySlice<UInt8>) {
        var reader = CBORReader(bytes)
        let value = try reader.value(depth: 0)
        return (value, reader.rest)
    }

    /// Reads the value that `bytes` hold, and nothing else. Throws a ``Fault``.
    package static func readAll(_ bytes: ArraySlice<UInt8>) throws(Fault) -> CBORValue {
        let (value, rest) = try read(bytes)
        guard rest.isEmpty else { throw Fault(reason: "bytes follow the value") }
        return value
    }

    private mutating func value(depth: Int) throws(Fault) -> CBORValue {
        values += 1
        guard depth < Self.maxDepth, values <= Self.maxValues else { throw Fault(reason: "too many values") }
        let first = try byte()
        let (type, low) = (first >> 5, first & 31)
        if type == 7 {
            switch low {
            case 20: return .boolean(false)
            case 21: return .boolean(true)
            case 22: return .null
            default: throw Fault(reason: "a simple value or a floating-point number")
            }
        }
        let argument = try argument(low)
        switch type {
        case 0, 1:
            guard let number = Int64(exactly: argument) else { throw Fault(reason: "a number beyond 64 bits") }
            return .integer(type == 0 ? number : -1 - number)
        case 2: return .bytes(Array(try take(argument)))
        case 3:
            guard let text = String(validating: try take(argument), as: UTF8.self) else {
                throw Fault(reason: "a text that is not UTF-8")
            }
            return .text(text)
        case 4:
            // Each value has a byte at least, so that a length alone allocates nothing.
            guard argument <= rest.count else { throw Fault(reason: "a list beyond the end") }
            var list: [CBORValue] = []
            for _ in 0..<Int(argument) { list.append(try value(depth: depth + 1)) }
            return .array(list)
        case 5:
            guard argument <= rest.count / 2 else { throw Fault(reason: "a map beyond the end") }
            var map: [CBORValue: CBORValue] = [:]
            for _ in 0..<Int(argument) {
                let key = try value(depth: depth + 1)
                guard map.updateValue(try value(depth: depth + 1), forKey: key) == nil else {
                    throw Fault(reason: "a key twice")
                }
            }
            return .map(map)
        default: throw Fault(reason: "a tag")
        }
    }

    private mutating func argument(_ low: UInt8) throws(Fault) -> UInt64 {
        guard low >= 24 else { return UInt64(low) }
        guard low <= 27 else { throw Fault(reason: "an indefinite length") }
        let size = 1 << Int(low - 24)
        let number = try take(UInt64(size)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // 24, 2^8, 2^16 and 2^32 are the first numbers of each size.
        let least: UInt64 = size == 1 ? 24 : 1 << (UInt64(size) * 4)
        guard number >= least else { throw Fault(reason: "a number in more bytes than it needs") }
        return number
    }

    private mutating func byte() throws(Fault) -> UInt8 {
        guard let byte = rest.popFirst() else { throw Fault(reason: "it is cut off") }
        return byte
    }

    private mutating func take(_ count: UInt64) throws(Fault) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw Fault(reason: "it is cut off") }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}
