internal import Synchronization
package import WayreelCore

/// A file of an HLS package.
public struct HLSFile: Sendable {
    /// The path in the package: `master.m3u8`, `1-640x360/segment-00001.m4s`.
    public let name: String
    public let bytes: [UInt8]
    /// The start of an audio or video segment in seconds on the package's timeline; nil for other files.
    public let start: Double?
    /// The length of an audio or video segment in seconds; nil for other files.
    public let seconds: Double?

    init(_ name: String, _ bytes: [UInt8], start: Double? = nil, seconds: Double? = nil) {
        self.name = name
        self.bytes = bytes
        self.start = start
        self.seconds = seconds
    }
}

/// The destination of a package's files. Several threads may write to it.
protocol PackageOutput: AnyObject, Sendable {
    /// The path of the folder in messages.
    var path: String { get }
    /// The names and sizes of the files so far.
    var files: [(name: String, bytes: Int)] { get }

    /// Writes a file. `mode`: its permissions on the disk.
    func write(_ file: HLSFile, mode: UInt32) throws(MediaError)
    /// Returns the name in the package of a file at `path`; nil for a path outside the package.
    func name(of path: String) -> String?
    /// Completes the package after its last file, and publishes it together with `others`.
    func finish(with others: [any UnpublishedOutput]) throws(MediaError)
}

extension PackageOutput {
    func write(_ bytes: [UInt8], to name: String, mode: UInt32 = 0o666) throws(MediaError) {
        try write(HLSFile(name, bytes), mode: mode)
    }
}

extension OutputFolder: PackageOutput {
    func write(_ file: HLSFile, mode: UInt32) throws(MediaError) { try write(file.bytes, to: file.name, mode: mode) }

    func finish(with others: [any UnpublishedOutput]) throws(MediaError) { try OutputGroup.publish([self] + others) }
}

/// Passes the files to a function when they are complete. The function may block.
final class EmittedPackage: PackageOutput {
    private let emit: @Sendable (HLSFile) throws(MediaError) -> Void
    private let written = Mutex<[(name: String, bytes: Int)]>([])

    init(_ emit: @escaping @Sendable (HLSFile) throws(MediaError) -> Void) { self.emit = emit }

    var path: String { "-" }
    var files: [(name: String, bytes: Int)] { written.withLock(\.self) }

    func write(_ file: HLSFile, mode: UInt32) throws(MediaError) {
        written.withLock { $0.append((file.name, file.bytes.count)) }
        try emit(file)
    }

    func name(of path: String) -> String? { nil }

    /// The receiver has the files already.
    func finish(with others: [any UnpublishedOutput]) throws(MediaError) { try OutputGroup.publish(others) }
}
