internal import ArgumentParser
internal import WayreelCore
package import WayreelMedia

package struct EncodingOptions: ParsableArguments {
    @Option(help: "Output format: jpeg, png, webp or avif. (default: by the output's extension, else jpeg)")
    var format: String?

    @Option(help: "Quality of JPEG, lossy WebP and AVIF, 1 to 100. (default: 82)")
    var quality: Int?

    @Option(help: "Max output size; finds the best quality that fits: 200kB or 200000.")
    var maxBytes: ByteCount?

    @Flag(help: "Progressive JPEG.")
    var progressive = false

    @Option(help: "JPEG chroma subsampling: 4:4:4, 4:2:2 or 4:2:0. (default: 4:2:0)")
    var subsampling: Encoding.Subsampling?

    @Option(help: "PNG bit depth, 8 or 16. (default: 8)")
    var bits: Int?

    @Flag(help: "Lossless WebP or AVIF.")
    var lossless = false

    @Option(
        help: """
            Metadata to carry over: none; copyright (creators, notice, credit and usage terms from EXIF, XMP, IPTC or \
            PNG text); all (EXIF, XMP and IPTC, location and device included). (default: none)
            """)
    var keep: Encoding.Metadata?

    package init() {}

    package func validate() throws {
        if quality != nil, maxBytes != nil {
            throw ValidationError("--max-bytes chooses the quality; remove --quality")
        }
    }

    /// Returns the format given by the option, the recipe, or the extension of a single output file.
    package func format(recipe: Recipe, output: String, inputs: [String]) throws(MediaError) -> Encoding.Format {
        if let format { return try Encoding.Format(named: format) }
        if let format = recipe.output.format { return format }
        guard inputs.count == 1, output != "-", !output.hasSuffix("/"), !Directory.isDirectory(output),
            let ending = output.fileExtension?.lowercased()
        else { return .jpeg }
        guard let format = Encoding.Format(fileName: output) else {
            if var unwritten = Encoding.Format.unwritten(ending) {
                unwritten.subject = output
                throw unwritten
            }
            throw ErrorSite.usage(
                of: output, "no output format has the extension .\(ending)",
                "use .jpg, .png, .webp or .avif, or choose one with --format")
        }
        return format
    }

    /// Throws a `parameter` error for a quality that has no effect.
    package func encoding(_ format: Encoding.Format, over recipe: Recipe) throws(MediaError) -> Encoding {
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
            throw ErrorSite(.parameter, step: .encode)(
                "\(encoding.lossless ? "lossless " : "")\(format.rawValue) has no setting 'quality'",
                "remove --quality, or use another format")
        }
        return encoding
    }
}
