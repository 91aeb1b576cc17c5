internal import Synchronization
package import WayreelCore

/// A file of an HLS package.
public struct HLSFile: Sendable {
    /// Its path in the package: `master.m3u8`, `1-640x360/segment-00001.m4s`.
    public let name: String
    public let bytes: [UInt8]
    /// Of a segment of audio or video: where it begins, in seconds on the timeline of the package; nil for other files.
    public let start: Double?
    /// Of a segment of audio or video: its length in seconds; nil for other files.
    public let seconds: Double?

    init(_ name: String, _ bytes: [UInt8], start: Double? = nil, seconds: Double? = nil) {
        self.name = name
        self.bytes = bytes
        self.start = start
        self.seconds = seconds
    }
}

/// Where the files of a package go. Several threads may write.
protocol PackageOutput: AnyObject, Sendable {
    /// The folder, for messages.
    var path: String { get }
    /// Names and sizes of the files so far.
    var files: [(name: String, bytes: Int)] { get }

    /// `mode`: the permissions of a file on the disk.
    func write(_ file: HLSFile, mode: UInt32) throws(MediaError)
    /// Records a file that somebody else adds to the package.
    func record(_ path: String)
    /// Completes the package after its last file.
    func finish() throws(MediaError)
}

extension PackageOutput {
    func write(_ bytes: [UInt8], to name: String, mode: UInt32 = 0o666) throws(MediaError) {
        try write(HLSFile(name, bytes), mode: mode)
    }
}

extension OutputFolder: PackageOutput {
    func write(_ file: HLSFile, mode: UInt32) throws(MediaError) { try write(file.bytes, to: file.name, mode: mode) }
}

/// Hands the files to a function as they are made. It may block.
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

    func record(_ path: String) {}
    func finish() {}
}
