internal import Crypto
internal import Glibc
internal import NIOCore
internal import WayreelCore
internal import WayreelStorage

/// The files of a request for a recording, which are removed with this object. Its functions block.
final class RecordingWorkplace: Sendable {
    private let folder: TemporaryFolder
    /// What is read, and what is made of it.
    let input: String
    let output: String

    /// `data` is the folder of data; `name` is that of the file that is sent, of which the format may depend.
    ///
    /// Throws an `io` error if the folder cannot be made.
    init(data: String, name: String) throws(MediaError) {
        folder = try TemporaryFolder(beside: "\(data)/recordings")
        input = "\(folder.path)/\(Self.safe(name))"
        output = "\(folder.path)/.output"
    }

    /// The name without what may be more than a name: letters, digits, `-` and `_`, and the last dot. Some formats take the
    /// name of a stream from it.
    static func safe(_ name: String) -> String {
        func part(_ text: String, _ count: Int) -> String {
            String(
                String.UnicodeScalarView(
                    text.unicodeScalars.prefix(count).map { character in
                        switch character {
                        case "a"..."z", "A"..."Z", "0"..."9", "-": character
                        default: "_"
                        }
                    }))
        }
        let stem = part(name.stem ?? "", 60)
        let ending = name.fileExtension.map { "." + part($0.lowercased(), 8) } ?? ""
        return (stem.isEmpty ? "recording" : stem) + ending
    }

    /// Appends to ``input``.
    func append(_ bytes: ByteBuffer) throws(MediaError) {
        let descriptor = open(input, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw MediaError(system: errno, step: .recordings, subject: input) }
        defer { close(descriptor) }
        let written = bytes.withUnsafeReadableBytes { bytes in
            Result { () throws(SystemError) in try writeAll(bytes, to: descriptor) }
        }
        do { try written.get() } catch { throw MediaError(system: error.code, step: .recordings, subject: input) }
    }

    private static let pieceBytes = 1 << 20

    /// The SHA-256 of ``input``, and of what a request asks for beside it: a repeated request has the same.
    func fingerprint(with purpose: [String]) throws(MediaError) -> String {
        var hash = SHA256()
        for part in purpose { hash.update(data: Array("\(part.utf8.count):\(part)".utf8)) }
        let file = try TemporaryBlob(input, in: self)
        for start in stride(from: 0, to: file.count, by: Self.pieceBytes) {
            hash.update(data: try file.bytes(start..<min(start + Self.pieceBytes, file.count)))
        }
        return hash.finalize().hexadecimal
    }
}

/// A file that is removed when nobody reads it any more.
final class TemporaryBlob: StoredBlob {
    private let file: OpenFile
    let count: Int
    private let workplace: RecordingWorkplace
    private let threads: (any StorageThreads)?

    /// `threads` are those on which it is read; nil for the caller's.
    init(
        _ path: String, in workplace: RecordingWorkplace, threads: (any StorageThreads)? = nil
    ) throws(MediaError) {
        do throws(SystemError) { file = try OpenFile(path) } catch {
            throw MediaError(system: error.code, step: .recordings, subject: path)
        }
        count = file.byteCount ?? 0
        (self.workplace, self.threads) = (workplace, threads)
    }

    /// Blocks.
    func bytes(_ range: Range<Int>) throws(MediaError) -> [UInt8] {
        do throws(SystemError) { return try file.bytes(range.count, at: range.lowerBound) } catch {
            throw MediaError(system: error.code, step: .recordings, subject: workplace.output)
        }
    }

    func read(_ range: Range<Int>) async throws(StorageFault) -> [UInt8] {
        try await (threads ?? CallingThread()).attempt { [self] in try bytes(range) }
    }
}

/// A recording as it is sent: its samples, then its marks.
struct MarkedBlob: StoredBlob {
    let samples: any StoredBlob
    /// Of the samples: those that are written later are left out.
    let sampleBytes: Int
    let marks: [UInt8]

    var count: Int { sampleBytes + marks.count }

    func read(_ range: Range<Int>) async throws(StorageFault) -> [UInt8] {
        let first = range.clamped(to: 0..<sampleBytes)
        let rest = range.clamped(to: sampleBytes..<count)
        let bytes = first.isEmpty ? [] : try await samples.read(first)
        return bytes + marks[rest.lowerBound - sampleBytes..<rest.upperBound - sampleBytes]
    }
}
