internal import CZip
internal import WayreelCore

extension MediaError.Format {
    static let zip = MediaError.Format(rawValue: "ZIP")
}

extension RecordingFormat {
    /// The export of a phone app as one file (PKWARE's APPNOTE.TXT).
    static let zip = RecordingFormat(
        name: "ZIP", extensions: ["zip"],
        recognizes: { (head, _) in
            head.count >= 22 && head[0] == UInt8(ascii: "P") && head[1] == UInt8(ascii: "K")
                && [[3, 4], [5, 6], [7, 8]].contains([head[2], head[3]])
        },
        open: { (input) throws(MediaError) in try ExportRecording(archive: input) })
}

/// A ZIP archive, read by libzip. Nothing of it is unpacked to a disk, so that the names in it lead nowhere. Belongs to
/// one thread.
final class ZipArchive {
    /// A file in the archive.
    struct Entry {
        let index: UInt64
        /// Its path in the archive.
        let name: String
    }

    let path: String
    private let handle: OpaquePointer
    private let byteCount: Int
    /// The bytes that were unpacked, of all files.
    private var unpackedCount = 0

    /// The most bytes of the list of files, which libzip keeps in memory.
    private static let directoryLimit = 1 << 24
    /// An archive may unpack to this many bytes, or this many times its own size. Tables of sensors are 3 to 20 times
    /// smaller when they are compressed.
    private static let (plainLimit, ratioLimit) = (1 << 26, 100)

    /// Throws a `decoding` error for what is no archive or is damaged, a `limit` error for a list of files that is too
    /// long, and an `io` error.
    init(_ input: RecordingInput) throws(MediaError) {
        try SharedLibrary.libzip.require(step: .read)
        let file = try RecordingBytes(input.path, .zip, input)
        (path, byteCount) = (input.path, file.count)
        try ZipArchive.checkDirectory(file)
        var code: Int32 = 0
        guard let handle = zip_open(path, ZIP_RDONLY, &code) else {
            throw file.fault(ZipArchive.damage(ZipArchive.text(code)))
        }
        self.handle = handle
    }

    deinit { zip_discard(handle) }

    /// Refuses a list of files that takes much memory before libzip reads it. The list ends with the signature PK\5\6, of
    /// which libzip tries each in the last bytes of the file.
    private static func checkDirectory(_ file: RecordingBytes) throws(MediaError) {
        let length = min(file.count, 65_535 + 22 + 20)
        let tail = try file.read(length, at: file.count - length)
        guard tail.count >= 22 else { throw file.fault(damage("the file ends early")) }
        func isSignature(_ place: Int, _ last: (UInt8, UInt8)) -> Bool {
            tail[place] == UInt8(ascii: "P") && tail[place + 1] == UInt8(ascii: "K")
                && (tail[place + 2], tail[place + 3]) == last
        }
        for place in 0...tail.count - 22 where isSignature(place, (5, 6)) {
            let count = (0..<4).reduce(0) { $0 | Int(tail[place + 12 + $1]) << (8 * $1) }
            guard count <= directoryLimit, place < 20 || !isSignature(place - 20, (6, 7)) else {
                throw file.fault(
                    "its list of files has more than \(directoryLimit.asSize), or is of ZIP64", kind: .limit,
                    "unpack it and name the folder")
            }
        }
    }

    /// The files whose names `isWanted` accepts, in the order of the archive.
    func entries(where isWanted: (String) -> Bool) -> [Entry] {
        (0..<UInt64(max(0, zip_get_num_entries(handle, 0)))).compactMap { index in
            guard let text = zip_get_name(handle, index, 0) else { return nil }
            let name = String(cString: text)
            return isWanted(name) ? Entry(index: index, name: name) : nil
        }
    }

    /// Opens a file of the archive. Throws an `unsupported` error if it is encrypted, a `limit` error if it says that it
    /// unpacks to too much, and a `decoding` error.
    func open(_ entry: Entry) throws(MediaError) -> ZipMember {
        var status = zip_stat_t()
        guard zip_stat_index(handle, entry.index, 0, &status) == 0 else {
            throw fault(entry.name, zip_strerror(handle))
        }
        guard status.encryption_method == 0 else {
            throw fault(entry.name, "is encrypted", .unsupported, "unpack it and name the folder")
        }
        try take(Int(clamping: status.size), of: entry.name, isDone: false)
        guard let file = zip_fopen_index(handle, entry.index, 0) else {
            throw fault(entry.name, zip_strerror(handle))
        }
        return ZipMember(self, file, name: entry.name)
    }

    /// Counts bytes that were unpacked, or will be. Throws a `limit` error if those of all files are too many.
    fileprivate func take(_ count: Int, of name: String, isDone: Bool) throws(MediaError) {
        let (sum, overflows) = unpackedCount.addingReportingOverflow(count)
        let (scaled, isHuge) = byteCount.multipliedReportingOverflow(by: Self.ratioLimit)
        guard !overflows, isHuge || sum <= max(Self.plainLimit, scaled) else {
            throw fault(
                name, "unpacks the archive to more than \(Self.ratioLimit) times its size", .limit,
                "unpack it and name the folder, if it is what you expect")
        }
        if isDone { unpackedCount = sum }
    }

    /// The error of damage, in libzip's words.
    fileprivate func fault(_ name: String, _ words: UnsafePointer<CChar>?) -> MediaError {
        fault(name, Self.damage(words.map { String(cString: $0) } ?? "unknown"), .decoding)
    }

    private func fault(
        _ name: String, _ reason: String, _ kind: MediaError.Kind, _ advice: MediaError.Advice? = nil
    ) -> MediaError {
        MediaError(
            kind, step: .read, format: .zip, subject: "\(path)/\(name)", reason: "ZIP: \(reason)", advice: advice)
    }

    private static func damage(_ words: String) -> String { "the archive is damaged: \(words)" }

    /// The words of an error code.
    private static func text(_ code: Int32) -> String {
        var error = zip_error_t()
        zip_error_init_with_code(&error, code)
        defer { zip_error_fini(&error) }
        return String(cString: zip_error_strerror(&error))
    }
}

/// A file of an archive, unpacked while it is read.
final class ZipMember: LineInput {
    private let archive: ZipArchive
    private let file: OpaquePointer
    private let name: String

    fileprivate init(_ archive: ZipArchive, _ file: OpaquePointer, name: String) {
        (self.archive, self.file, self.name) = (archive, file, name)
    }

    deinit { zip_fclose(file) }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        let count = zip_fread(file, start, UInt64(buffer.count))
        guard count >= 0 else { throw archive.fault(name, zip_file_strerror(file)) }
        try archive.take(Int(count), of: name, isDone: true)
        return Int(count)
    }
}

extension SharedLibrary {
    static let libzip = SharedLibrary("libzip", packages: "libzip4", load: czip_load)
}
