internal import ArgumentParser
internal import Wayreel

struct EncodingOptions: ParsableArguments {
    @Option(help: "jpeg, png, webp or avif. (default: by the output's extension, else jpeg)")
    var format: String?

    @Option(help: "1 to 100, of JPEG, lossy WebP and AVIF. (default: 82)")
    var quality: Int?

    @Option(help: "Find the best quality whose file is at most this large: 200kB or 200000.")
    var maxBytes: ByteCount?

    @Flag(help: "Progressive JPEG.")
    var progressive = false

    @Option(help: "Chroma of a JPEG: 4:4:4, 4:2:2 or 4:2:0. (default: 4:2:0)")
    var subsampling: Encoding.Subsampling?

    @Option(help: "8 or 16, of PNG. (default: 8)")
    var bits: Int?

    @Flag(help: "Lossless WebP or AVIF.")
    var lossless = false

    @Option(
        help: """
            Metadata to carry over: none; copyright (creators, notice, credit and usage terms from EXIF, XMP, IPTC or \
            PNG text); all (EXIF, XMP and IPTC, location and device included). (default: none)
            """)
    var keep: Encoding.Metadata?

    func validate() throws {
        if quality != nil, maxBytes != nil {
            throw ValidationError("--max-bytes finds the quality; leave --quality out")
        }
    }

    /// The format asked for, or told by the recipe, or by the extension of a single output file.
    func format(recipe: Recipe, output: String, inputs: [String]) throws(MediaError) -> Encoding.Format {
        if let format { return try Encoding.Format(named: format) }
        if let format = recipe.output.format { return format }
        guard inputs.count == 1, output != "-", !output.hasSuffix("/"), !OutputPlan.isFolder(output),
            let ending = Encoding.Format.ending(of: output)
        else { return .jpeg }
        guard let format = Encoding.Format(fileName: output) else {
            if var unwritten = Encoding.Format.unwritten(ending) {
                unwritten.subject = output
                throw unwritten
            }
            throw MediaError(
                .parameter, step: "plan", subject: output, reason: "no output format has the extension .\(ending)",
                advice: "use .jpg, .png, .webp or .avif, or name one with --format")
        }
        return format
    }

    /// Throws a `parameter` error for a quality that would change nothing.
    func encoding(_ format: Encoding.Format, over recipe: Recipe) throws(MediaError) -> Encoding {
        var asked = recipe.output
        asked.format = format
        asked.quality = quality ?? asked.quality
        asked.progressive = progressive ? true : asked.progressive
        asked.subsampling = subsampling ?? asked.subsampling
        asked.bits = bits ?? asked.bits
        asked.lossless = lossless ? true : asked.lossless
        asked.maxBytes = maxBytes?.value ?? asked.maxBytes
        asked.metadata = keep ?? asked.metadata
        let encoding = asked.encoding()
        if quality != nil, !encoding.hasQuality {
            throw MediaError(
                .parameter, step: "encode",
                reason: "\(encoding.lossless ? "lossless " : "")\(format.rawValue) has no setting 'quality'",
                advice: "leave --quality out, or use another format")
        }
        return encoding
    }
}

extension Encoding.Format {
    /// The format that the ending of a file's name stands for.
    init?(fileName: String) {
        guard let ending = Self.ending(of: fileName),
            let format = Self.allCases.first(where: { $0.extensions.contains(ending) })
        else { return nil }
        self = format
    }

    /// In lower case, without the dot.
    static func ending(of path: String) -> String? {
        guard let name = path.split(separator: "/").last, let dot = name.lastIndex(of: ".") else { return nil }
        return name[name.index(after: dot)...].lowercased()
    }
}
