internal import CHarfBuzz
internal import CWOFF2
internal import Glibc
public import WayreelCore

/// Which characters a font is reduced to.
public struct FontOptions: Hashable, Sendable, Codable {
    /// The characters of the texts, each once, beside those that every page has: Basic Latin, Latin-1, Latin Extended-A and
    /// General Punctuation.
    public var characters: String
    public var limits: Limits

    /// `texts`: anything that is written in the font.
    public init(texts: some Sequence<String>, limits: Limits = .standard) {
        var found: Set<Unicode.Scalar> = []
        for text in texts { found.formUnion(text.unicodeScalars) }
        // A page may write a text in capital letters.
        for scalar in found {
            let properties = scalar.properties
            found.formUnion(properties.uppercaseMapping.unicodeScalars)
            found.formUnion(properties.lowercaseMapping.unicodeScalars)
        }
        let own = found.filter { scalar in !Self.common.contains { $0.contains(scalar.value) } && scalar.value >= 0xA0 }
        characters = String(String.UnicodeScalarView(own.sorted { $0.value < $1.value }))
        self.limits = limits
    }

    static let common: [ClosedRange<UInt32>] = [0x20...0x7E, 0xA0...0x17F, 0x2000...0x206F]
}

/// Makes the font of a page: the characters that it needs, as WOFF2.
///
/// Layout features, axes of variations and names are kept, so that the licence stays in the file; hinting is dropped.
public struct FontTask: MediaTask {
    public var input: String
    public var output: String
    public var options: FontOptions

    public init(input: String, output: String, options: FontOptions) {
        self.input = input
        self.output = output
        self.options = options
    }

    public var outputs: [String] { [output] }
    public var maxSeconds: Double { options.limits.seconds }
    /// HarfBuzz and libwoff2 are called once each.
    public var isolationNeed: IsolationNeed { .work }

    public func makePipeline() throws(MediaError) -> FontPipeline { FontPipeline(options) }
}

/// Runs font tasks.
public struct FontPipeline: MediaPipeline {
    let options: FontOptions

    init(_ options: FontOptions) { self.options = options }

    @available(*, noasync, message: "it blocks its thread: use an async variant, or WorkPool.run")
    public func run(
        _ task: FontTask, ifExists: ExistingOutput = .replace, threads: Int = 1,
        cancellation: Cancellation = Cancellation()
    ) -> TaskReport {
        let context = TaskContext(seconds: options.limits.seconds, cancellation: cancellation)
        return task.report(with: options, ifExists: ifExists, in: context) { (report) throws(MediaError) in
            let font = try context.step(.read) { () throws(MediaError) in
                try FontFile(path: task.input, task: context)
            }
            report.input.bytes = (try? FileStatus(task.input))?.byteCount
            let reduced = try context.step(.font) { () throws(MediaError) in try reduce(font, context) }
            try context.check()
            let bytes = try context.step(.encode) { () throws(MediaError) in try Self.woff2(reduced) }
            try context.step(.write) { () throws(MediaError) in
                try OutputFile.write(bytes, to: task.output, ifExists: ifExists)
            }
            report.output.format = "woff2"
            report.output.bytes = bytes.count
        }
    }

    /// Returns the font with the glyphs of the characters. Warns of letters that it lacks.
    private func reduce(_ font: FontFile, _ context: TaskContext) throws(MediaError) -> [UInt8] {
        let own = options.characters.unicodeScalars.map(\.value)
        let characters = own + FontOptions.common.flatMap { Array($0) }
        let (subset, missing) = try Self.subset(of: font, characters)
        let letters = missing.filter { $0 < own.count }.compactMap { Unicode.Scalar(own[$0]) }.filter {
            $0.properties.isAlphabetic
        }
        if !letters.isEmpty {
            let named = letters.prefix(8).map { "“\($0)”" }.joined(separator: ", ")
            let more = letters.count > 8 ? " and \(letters.count - 8) more" : ""
            context.warn(.font, "the font lacks \(named)\(more) of the texts, which are shown in another font")
        }
        guard font.forbidsSubsets else { return subset }
        context.warn(.font, "the font itself says that it may be delivered only as a whole; it is not reduced")
        return font.bytes
    }

    /// Returns the font reduced to characters, and the indices of those that it lacks.
    private static func subset(
        of font: FontFile, _ characters: [UInt32]
    ) throws(MediaError) -> (bytes: [UInt8], missing: [Int]) {
        try SharedLibrary.harfBuzz.require(step: .font)
        var isMissing = [UInt8](repeating: 0, count: characters.count)
        var result: UnsafeMutableRawPointer?
        var count = 0
        let isDone = charfbuzz_subset(
            font.bytes, font.bytes.count, characters, characters.count, &isMissing, &result, &count)
        defer { free(result) }
        guard isDone != 0, let result else {
            throw MediaError(
                .decoding, code: .damaged, step: .font, reason: "the font is damaged", advice: "export it again")
        }
        let missing = isMissing.indices.filter { isMissing[$0] != 0 }
        guard missing.count < characters.count else {
            throw MediaError(
                .parameter, step: .font, reason: "the font has none of the characters that the texts need",
                advice: "choose a font for letters, not one of symbols")
        }
        return (Array(UnsafeRawBufferPointer(start: result, count: count)), missing)
    }

    private static func woff2(_ font: [UInt8]) throws(MediaError) -> [UInt8] {
        try SharedLibrary.woff2Encoder.require(step: .font)
        let room = cwoff2_max_size(font, font.count)
        var isDone = false
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
            filled = room
            isDone = cwoff2_encode(font, font.count, buffer.baseAddress, &filled)
            if !isDone { filled = 0 }
        }
        guard isDone, !bytes.isEmpty else {
            throw MediaError(
                .decoding, code: .damaged, step: .font, reason: "the font cannot be compressed: it is damaged",
                advice: "export it again")
        }
        return bytes
    }
}

extension SharedLibrary {
    static let harfBuzz = SharedLibrary(
        "libharfbuzz-subset", packages: "libharfbuzz-subset0", load: charfbuzz_load)
    static let woff2Encoder = SharedLibrary("libwoff2enc", packages: "libwoff1", load: cwoff2_encoder_load)

    package static let ofFonts = [harfBuzz, woff2Encoder, woff2Decoder]
}
