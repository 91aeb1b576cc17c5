/// A measurement of a sensor at one moment: one or more named values.
///
///     SensorSample(time, stream: "heading", values: ["degrees": 271.5, "accuracy": 10])
public struct SensorSample: Hashable, Sendable {
    public var time: SensorTime
    /// The name of the stream: letters, digits, `-` and `_`.
    public var stream: String
    public var values: Values

    public init(_ time: SensorTime, stream: String, values: Values) {
        self.time = time
        self.stream = stream
        self.values = values
    }

    /// Finite numbers by component name, sorted by name.
    public struct Values: Hashable, Sendable, ExpressibleByDictionaryLiteral {
        public private(set) var names: [String] = []
        private var numbers: [Double] = []

        /// If two values have the same component, the last one is used.
        public init(_ values: some Sequence<(String, Double)>) {
            for (name, value) in values { self[name] = value }
        }

        public init(dictionaryLiteral values: (String, Double)...) { self.init(values) }

        public var isEmpty: Bool { names.isEmpty }
        var areFinite: Bool { numbers.allSatisfy(\.isFinite) }

        public subscript(name: String) -> Double? {
            get { names.firstIndex(of: name).map { numbers[$0] } }
            set {
                let index = names.firstIndex { $0 >= name } ?? names.count
                let isThere = index < names.count && names[index] == name
                switch newValue {
                case let value? where isThere: numbers[index] = value
                case let value?:
                    names.insert(name, at: index)
                    numbers.insert(value, at: index)
                case nil where isThere:
                    names.remove(at: index)
                    numbers.remove(at: index)
                case nil: break
                }
            }
        }
    }

    /// Whether the name is valid for a stream or a component.
    static func isName(_ name: some StringProtocol) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch UInt8(byte) {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
