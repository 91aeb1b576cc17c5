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
        for place in 0...tail.count - 22 where tail.hasSignature(5, 6, at: place) {
            // Of ZIP64, what is before it says where its own end is.
            let bytes =
                tail.hasSignature(6, 7, at: place - 20)
                ? try largeDirectory(file, tail.littleEndian(8, at: place - 12)) : tail.littleEndian(4, at: place + 12)
            guard bytes <= directoryLimit else {
                throw file.fault(
                    "its list of files has more than \(directoryLimit.asSize)", kind: .limit,
                    "unpack it and name the folder")
            }
        }
    }

    /// The bytes of the list of files of ZIP64, whose end, PK\6\6, is at `place`: what it says of them, and what so many files
    /// need, for each of which libzip takes memory.
    private static func largeDirectory(_ file: RecordingBytes, _ place: UInt64) throws(MediaError) -> UInt64 {
        guard let place = Int(exactly: place), place <= file.count - 56 else {
            throw file.fault(damage("the end of its list of files is not in it"))
        }
        let end = try file.read(56, at: place)
        guard end.count == 56, end.hasSignature(6, 6, at: 0) else {
            throw file.fault(damage("the end of its list of files is not where it should be"))
        }
        let (bytes, overflows) = end.littleEndian(8, at: 32).multipliedReportingOverflow(by: 46)
        return overflows ? .max : max(end.littleEndian(8, at: 40), bytes)
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

extension [UInt8] {
    /// Whether the signature of a part of archives is at a place: PK and two numbers.
    fileprivate func hasSignature(_ third: UInt8, _ fourth: UInt8, at place: Int) -> Bool {
        place >= 0 && self[place...].starts(with: [UInt8(ascii: "P"), UInt8(ascii: "K"), third, fourth])
    }

    fileprivate func littleEndian(_ count: Int, at place: Int) -> UInt64 {
        self[place..<place + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension SharedLibrary {
    static let libzip = SharedLibrary("libzip", packages: "libzip4", load: czip_load)
}
