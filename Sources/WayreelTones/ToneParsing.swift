public import WayreelCore

extension Tone.Wave: CustomStringConvertible {
    /// As it is parsed: `sine:440`.
    public var description: String {
        let text = { (value: Double) in
            let isShort = value == 0 || (1e-6..<1e15).contains(value.magnitude)
            return isShort ? DecimalNumber.text(value) : value.description
        }
        return switch self {
        case .sine(let hertz): "sine:\(text(hertz))"
        case .square(let hertz): "square:\(text(hertz))"
        case .sawtooth(let hertz): "saw:\(text(hertz))"
        case .triangle(let hertz): "triangle:\(text(hertz))"
        case .sweep(let from, let to): "sweep:\(text(from))..\(text(to))"
        case .whiteNoise: "noise:white"
        case .pinkNoise: "noise:pink"
        case .impulse: "impulse"
        case .clicks(let rate): "clicks:\(text(rate))"
        case .silence: "silence"
        }
    }
}

extension Tone.Level: CustomStringConvertible {
    /// Parses `-23dBFS` or `-23` (of the RMS), and `-6dBpeak`. Returns nil for anything else.
    public init?(_ text: String) {
        let lower = text.lowercased()
        for (suffix, isPeak) in [("dbpeak", true), ("dbfs", false), ("", false)] where lower.hasSuffix(suffix) {
            guard let value = DecimalNumber.value(lower.dropLast(suffix.count)) else { return nil }
            self = isPeak ? .peak(value) : .rms(value)
            return
        }
        return nil
    }

    public var description: String {
        switch self {
        case .rms(let value): "\(DecimalNumber.text(value))dBFS"
        case .peak(let value): "\(DecimalNumber.text(value))dBpeak"
        }
    }
}

extension Tone {
    /// The names of waves, with what follows them.
    package static let forms = [
        "sine:440", "square:441", "saw:441", "triangle:441", "sweep:20..20000", "noise:pink", "noise:white", "impulse",
        "clicks:2", "silence",
    ]
    package static let settings = ["level", "phase", "channels", "from", "for", "fade", "fade-in", "fade-out", "seed"]

    private static let sets = ["ebu3341", "ebu3342"]

    /// Parses `sine:440`, `sweep:20..20000:level=-20dBFS:fade=10ms`, `sine:1000:phase=90:channels=1+2:from=2s:for=500ms`.
    ///
    /// `level` is that of a tone without its own. Throws a `parameter` error that names the term.
    public init(parsing text: String, level: Level = .rms(-20)) throws(MediaError) {
        let fault = ErrorSite(.parameter, step: .tone, subject: String(text.prefix(200)))
        var terms = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)[...]
        let wave = try Self.wave(&terms, fault)
        self.init(wave, level: level)
        for term in terms {
            guard let equals = term.firstIndex(of: "=") else {
                throw fault("'\(term)' is no setting", "write settings as \(wave):level=-20dBFS:phase=90")
            }
            try set(String(term[..<equals]), to: String(term[equals...].dropFirst()), fault)
        }
    }

    private static func wave(_ terms: inout ArraySlice<String>, _ fault: ErrorSite) throws(MediaError) -> Wave {
        let name = terms.popFirst() ?? ""
        /// The term after the name, unless it is a setting.
        func value() -> String? { terms.first?.contains("=") == false ? terms.popFirst() : nil }
        func hertz() throws(MediaError) -> Double {
            let text = value()
            guard let number = text.flatMap(Self.hertz) else {
                let instead = text.map { ", not '\($0)'" } ?? ""
                throw fault("\(name) needs a frequency in hertz\(instead)", "write it as \(name):440")
            }
            return number
        }
        switch name.lowercased() {
        case "sine", "sin": return .sine(hertz: try hertz())
        case "square": return .square(hertz: try hertz())
        case "saw", "sawtooth": return .sawtooth(hertz: try hertz())
        case "triangle": return .triangle(hertz: try hertz())
        case "sweep":
            let text = value() ?? ""
            let ends = text.split(separator: "..", omittingEmptySubsequences: false).map { Self.hertz(String($0)) }
            guard ends.count == 2, let from = ends[0], let to = ends[1] else {
                throw fault("a sweep needs two frequencies in hertz", "write it as sweep:20..20000")
            }
            return .sweep(from: from, to: to)
        case "noise":
            switch value()?.lowercased() {
            case "white": return .whiteNoise
            case "pink": return .pinkNoise
            default: throw fault("noise is white or pink", "write it as noise:pink")
            }
        case "impulse": return .impulse
        case "clicks":
            guard let rate = value().flatMap(DecimalNumber.value) else {
                throw fault("clicks need how many there are a second", "write them as clicks:2")
            }
            return .clicks(perSecond: rate)
        case "silence": return .silence
        case let set where sets.contains(set): throw fault("is a set of signals", "name it alone, without settings")
        case let term where settings.contains(String(term.prefix { $0 != "=" })):
            throw fault("'\(name)' is a setting, and no signal", "write it after a signal: sine:440:level=-20dBFS")
        default:
            let names = forms.map { String($0.prefix { $0 != ":" }) } + sets
            throw fault(
                "there is no signal '\(name)'",
                nearestName(to: name, in: names).map { "did you mean '\($0)'?" }
                    ?? "use one of \(forms.joined(separator: ", "))")
        }
    }

    private mutating func set(_ name: String, to text: String, _ fault: ErrorSite) throws(MediaError) {
        let refused = { (form: String) in fault("\(name) takes \(form), not '\(text)'") }
        func seconds() throws(MediaError) -> Double {
            guard let value = Self.seconds(text), value >= 0 else { throw refused("a time such as 2s or 10ms") }
            return value
        }
        switch name {
        case "level":
            guard let level = Level(text) else { throw refused("a level such as -23dBFS or -6dBpeak") }
            self.level = level
        case "phase":
            let degrees = text.hasSuffix("deg") ? text.dropLast(3) : text.hasSuffix("°") ? text.dropLast() : text[...]
            guard let value = DecimalNumber.value(degrees) else { throw refused("degrees such as 90") }
            phase = value
        case "channel", "channels":
            let numbers = text.split(separator: "+", omittingEmptySubsequences: false).map { Int($0) }
            guard numbers.allSatisfy({ $0 != nil }) else { throw refused("numbers such as 1 or 1+2") }
            channels = numbers.compactMap(\.self)
        case "from": start = try seconds()
        case "for": duration = try seconds()
        case "fade":
            fadeIn = try seconds()
            fadeOut = fadeIn
        case "fade-in": fadeIn = try seconds()
        case "fade-out": fadeOut = try seconds()
        case "seed":
            guard let value = UInt64(text) else { throw refused("a whole number") }
            seed = value
        default:
            throw fault(
                "there is no setting '\(name)'",
                nearestName(to: name, in: Self.settings).map { "did you mean '\($0)'?" }
                    ?? "use one of \(Self.settings.joined(separator: ", "))")
        }
    }

    /// `440`, `440Hz`, `1.5k`, `1.5kHz`.
    private static func hertz(_ text: String) -> Double? {
        var number = text.lowercased()[...]
        if number.hasSuffix("hz") { number = number.dropLast(2) }
        let isThousands = number.hasSuffix("k")
        return DecimalNumber.value(isThousands ? number.dropLast() : number).map { isThousands ? $0 * 1000 : $0 }
    }

    /// `2`, `2s`, `10ms`.
    private static func seconds(_ text: String) -> Double? {
        if text.hasSuffix("ms") { return DecimalNumber.value(text.dropLast(2)).map { $0 / 1000 } }
        return DecimalNumber.value(text.hasSuffix("s") ? text.dropLast() : text[...])
    }
}
