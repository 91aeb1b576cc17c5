internal import CWOFF2
package import WayreelCore

/// A font file that a page can show: TrueType or OpenType, also compressed as WOFF2. Its tables are only looked at; what
/// is in them, HarfBuzz reads in a worker process, and a browser checks once more.
///
/// Source: OpenType 1.9.1, `otff`, `OS/2` and `name`; W3C WOFF 2.0, section 4.1.
package struct FontFile: Sendable {
    /// The most bytes of a font.
    package static let maxBytes = 5_000_000
    /// The most bytes that a WOFF2 file of that size may become.
    private static let maxPlainBytes = 6 * maxBytes

    /// The font as TrueType or OpenType.
    package let bytes: [UInt8]
    /// `fsType` of the table OS/2: how the font may be embedded; 0 if it does not say.
    package let embedding: UInt16
    /// What the font says about its licence, else about its copyright, on one line; nil if it says neither.
    package let license: String?
    /// The weights that a variable font can have, as CSS has them (1 to 1000); nil for a font of one weight.
    package let weights: ClosedRange<Int>?

    private static let fault = ErrorSite(
        step: .font, advice: "give a TrueType or OpenType font, such as a .ttf, .otf or .woff2 file")

    /// Reads the font at `path`.
    ///
    /// Throws an `io` error if it cannot be read, a `limit` error if it is larger than ``maxBytes``, a `decoding` error if
    /// it is no font or damaged, an `unsupported` one for a collection, for WOFF 1 and for a font of bitmaps or colours, and
    /// a `parameter` error if the font itself says that it may not be embedded.
    package init(path: String, task: TaskContext = TaskContext()) throws(MediaError) {
        try Self.checkSize(path)
        try self.init(MediaBytes.read(path: path, limit: Self.maxBytes, task: task).array)
    }

    /// Checks the font at `path` without decompressing it, and throws what ``init(path:task:)`` does. Of a WOFF2 file only
    /// the directory is read; what is in its tables is found when it is prepared, in a worker process.
    package static func check(path: String) throws(MediaError) {
        try checkSize(path)
        let bytes = try MediaBytes.read(path: path, limit: maxBytes).array
        if bytes.starts(with: "wOF2".utf8) { try checkDirectory(bytes) } else { _ = try FontFile(bytes) }
    }

    private static func checkSize(_ path: String) throws(MediaError) {
        if let count = (try? FileStatus(path))?.byteCount, count > maxBytes {
            throw fault(
                .limit, code: .tooManyBytes,
                "the font has \(megabytes(count)) MB; the limit is \(megabytes(maxBytes)) MB",
                "give the font of the scripts that the texts are in, or a subset of it")
        }
    }

    package init(_ file: [UInt8]) throws(MediaError) {
        bytes = try Self.plain(file)
        let tables = try bytes.withBytes { (bytes) throws(MediaError) in try Self.tables(bytes) }
        try Self.checkColors(Set(tables.keys))
        guard ["cmap", "head", "maxp"].allSatisfy({ tables[$0] != nil }) else {
            throw Self.fault("the font has no characters", nil)
        }
        guard ["glyf", "CFF ", "CFF2"].contains(where: { tables[$0] != nil }) else {
            throw Self.fault(.unsupported, "the font has bitmaps and no outlines")
        }
        (embedding, license, weights) = bytes.withBytes { bytes in
            let metrics = tables["OS/2"].map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
            let names = tables["name"].map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
            let fsType = metrics.flatMap { $0.count >= 10 ? $0.bigEndian16(at: 8) : nil } ?? 0
            let axes = tables["fvar"].map { UnsafeRawBufferPointer(rebasing: bytes[$0]) }
            return (fsType, names.flatMap { Self.license($0) }, axes.flatMap { Self.weights($0) })
        }
        try checkEmbedding()
    }

    /// Whether only the whole font may be embedded.
    package var forbidsSubsets: Bool { embedding & 0x100 != 0 }

    private func checkEmbedding() throws(MediaError) {
        let said = license.map { ", and: “\($0)”" } ?? ""
        // A font that may also be embedded in another way is not restricted (OpenType, OS/2, fsType).
        let isRestricted = embedding & 0xF == 2
        guard isRestricted || embedding & 0x200 != 0 else { return }
        let rule =
            isRestricted
            ? "it must not be embedded without its maker's permission" : "only bitmaps of it may be embedded"
        throw MediaError(
            .parameter, step: .font, reason: "the font itself says that \(rule) (OS/2 fsType \(embedding))\(said)",
            advice: "ask its maker for one for the web, or choose another, such as one under the Open Font License")
    }

    private static func megabytes(_ count: Int) -> String {
        ((Double(count) / 100_000).rounded(.up) / 10).shortDescription
    }

    // MARK: Containers

    /// Returns the font without its compression.
    private static func plain(_ file: [UInt8]) throws(MediaError) -> [UInt8] {
        switch file.prefix(4) {
        case [0, 1, 0, 0], Array("true".utf8)[...], Array("OTTO".utf8)[...]: return file
        case Array("wOF2".utf8)[...]: return try decompressed(file)
        case Array("ttcf".utf8)[...]:
            throw severalFonts
        case Array("wOFF".utf8)[...]:
            throw fault(.unsupported, "WOFF 1 is not read", "give the font as .ttf, .otf or .woff2")
        default: throw fault("the file is no font")
        }
    }

    private static func decompressed(_ file: [UInt8]) throws(MediaError) -> [UInt8] {
        try checkDirectory(file)
        try SharedLibrary.woff2Decoder.require(step: .font)
        let count = cwoff2_decoded_size(file, file.count)
        guard count > 0 else { throw fault("the WOFF2 file is damaged", nil) }
        try checkPlainSize(count)
        var isSound = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            buffer.initialize(repeating: 0)
            isSound = cwoff2_decode(buffer.baseAddress, count, file, file.count)
            filled = count
        }
        guard isSound else { throw fault("the WOFF2 file is damaged", nil) }
        // It may hold a collection.
        guard bytes.prefix(4) != Array("wOF2".utf8)[...] else { throw fault("the WOFF2 file is damaged", nil) }
        return try plain(bytes)
    }

    /// Throws what can be said of a WOFF2 file before it is decompressed. libwoff2 makes room for a hundred times the
    /// file's size if its directory says so.
    private static func checkDirectory(_ file: [UInt8]) throws(MediaError) {
        guard let directory = file.withBytes({ WOFF2Directory($0) }) else {
            throw fault("the WOFF2 file is damaged", nil)
        }
        try checkPlainSize(directory.byteCount)
        if directory.isCollection { throw severalFonts }
        try checkColors(directory.tags)
    }

    private static func checkPlainSize(_ count: Int) throws(MediaError) {
        guard count > maxPlainBytes else { return }
        throw fault(
            .limit, code: .tooManyBytes,
            "the font has \(megabytes(count)) MB without its compression; the limit is \(megabytes(maxPlainBytes)) MB",
            "give the font of the scripts that the texts are in, or a subset of it")
    }

    private static var severalFonts: MediaError {
        fault(.unsupported, "the file holds several fonts", "give the one that is meant, as .ttf or .otf")
    }

    /// Throws an `unsupported` error for a font whose letters are pictures or have colours of their own. They could not be
    /// read in the house's colours; SVG may have scripts and links, and bitmaps are images that nobody has checked.
    private static func checkColors(_ tags: Set<String>) throws(MediaError) {
        guard let tag = ["SVG ", "COLR", "sbix", "CBDT"].first(where: tags.contains) else { return }
        throw fault(
            .unsupported, "the font has colours of its own (table '\(tag.trimmed())')",
            "give the font without colours: texts are in those of the house")
    }

    /// Returns the places of the tables by their tags.
    private static func tables(_ bytes: UnsafeRawBufferPointer) throws(MediaError) -> [String: Range<Int>] {
        var cursor = ByteCursor(bytes)
        cursor.skip(4)
        let count = cursor.read(2)
        cursor.skip(6)
        var tables: [String: Range<Int>] = [:]
        for _ in 0..<count {
            let tag = cursor.readType()
            cursor.skip(4)
            let (offset, length) = (cursor.read(4), cursor.read(4))
            guard !cursor.isPastEnd else { break }
            guard offset <= bytes.count, length <= bytes.count - offset else {
                throw fault("the font is cut off: its table '\(tag)' ends behind the file", nil)
            }
            tables[tag] = offset..<offset + length
        }
        guard !cursor.isPastEnd, count > 0 else { throw fault("the font is cut off", nil) }
        return tables
    }

    /// Returns the range of the axis of weights (`fvar`, `wght`).
    private static func weights(_ table: UnsafeRawBufferPointer) -> ClosedRange<Int>? {
        var header = ByteCursor(table)
        header.skip(4)
        let (start, _, count, size) = (header.read(2), header.read(2), header.read(2), header.read(2))
        for index in 0..<count {
            var axis = ByteCursor(table)
            axis.skip(start + index * size)
            guard axis.readType() == "wght" else { continue }
            // Numbers with 16 bits behind the point.
            let least = axis.read(4) >> 16
            axis.skip(4)
            let most = axis.read(4) >> 16
            return !axis.isPastEnd && 1 <= least && least < most && most <= 1000 ? least...most : nil
        }
        return nil
    }

    // MARK: Names

    /// Returns the description of the licence (name 13), else the copyright (name 0), in English if there is that.
    private static func license(_ table: UnsafeRawBufferPointer) -> String? {
        var cursor = ByteCursor(table)
        cursor.skip(2)
        let (count, start) = (cursor.read(2), cursor.read(2))
        var found: (rank: Int, text: String)?
        for _ in 0..<count {
            let (platform, encoding, language, name) = (
                cursor.read(2), cursor.read(2), cursor.read(2), cursor.read(2)
            )
            let (length, offset) = (cursor.read(2), cursor.read(2))
            guard !cursor.isPastEnd else { break }
            guard name == 13 || name == 0, start + offset + length <= table.count else { continue }
            let isEnglish = platform == 3 ? language & 0x3FF == 9 : language == 0
            let rank = (name == 13 ? 0 : 2) + (isEnglish ? 0 : 1)
            guard rank < found?.rank ?? .max else { continue }
            // All of 65,535 names may have the same 64 kB.
            let bytes = table[(start + offset)..<(start + offset + min(length, licenseBytes))]
            // Windows and Unicode have UTF-16; of Macintosh, the part that is ASCII.
            let isWide = platform == 3 && [0, 1, 10].contains(encoding) || platform == 0
            let pairs = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
            let text =
                isWide
                ? String(decoding: pairs.map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }, as: UTF16.self)
                : String(decoding: bytes.filter { $0 < 0x80 }, as: UTF8.self)
            let line = text.asName(ofAtMost: 160)
            if !line.isEmpty { found = (rank, line) }
        }
        return found?.text
    }

    /// The bytes of a name that are read: enough for the beginning that is shown.
    private static let licenseBytes = 2048
}

extension SharedLibrary {
    static let woff2Decoder = SharedLibrary("libwoff2dec", packages: "libwoff1", load: cwoff2_decoder_load)
}

extension MediaError.Step {
    package static let font = MediaError.Step(rawValue: "font")
}
