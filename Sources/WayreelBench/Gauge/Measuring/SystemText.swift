internal import Glibc
internal import WayreelCore

/// Paths of kernel files, replaceable in tests.
package struct SystemRoots: Hashable, Sendable {
    package var proc: String
    package var sys: String
    /// Prefix of all other paths.
    package var rest: String

    package init(proc: String = "/proc", sys: String = "/sys", rest: String = "") {
        self.proc = proc
        self.sys = sys
        self.rest = rest
    }
}

/// The reason why a kernel file could not be used.
package struct SystemFault: Error, Hashable, Sendable {
    package var path: String
    package var reason: String
    /// errno, or 0 for unexpected content.
    package var code: Int32

    package init(_ path: String, _ reason: String) { (self.path, self.reason, code) = (path, reason, 0) }

    /// An error without a file.
    package init(_ reason: String) { (path, self.reason, code) = ("", reason, 0) }

    package init(_ path: String, code: Int32) {
        (self.path, self.code) = (path, code)
        reason = systemReason(code)
    }

    package var description: String { path.isEmpty ? reason : "\(path): \(reason)" }
}

/// A snapshot of a small kernel file.
package struct SystemText {
    package let bytes: [UInt8]

    private static let limit = 1 << 16

    /// Reads up to 64 KiB.
    package init(_ path: String) throws(SystemFault) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemFault(path, code: errno) }
        defer { close(descriptor) }
        var code: Int32 = 0
        var room = 1 << 12
        var found: [UInt8] = []
        while true {
            found = [UInt8](unsafeUninitializedCapacity: room) { memory, count in
                count = found.count
                if count > 0 { memory.baseAddress!.update(from: found, count: count) }
                while count < room {
                    let got = read(descriptor, memory.baseAddress! + count, room - count)
                    if got < 0, errno == EINTR { continue }
                    if got < 0 { code = errno }
                    if got <= 0 { break }
                    count += got
                }
            }
            if code != 0 { throw SystemFault(path, code: code) }
            if found.count < room || room >= Self.limit { break }
            room *= 4
        }
        bytes = found
    }

    /// The content without the line end.
    package var line: String {
        let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") }.map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<end], as: UTF8.self)
    }

    package var lines: [Substring] { String(decoding: bytes, as: UTF8.self).split(separator: "\n") }

    /// The number on the line that starts with `name`; nil if there is none.
    package func number(after name: StaticString) -> Int? {
        name.withUTF8Buffer { name in
            var start = 0
            while start < bytes.count {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                if bytes[start..<end].starts(with: name) { return Self.number(bytes[(start + name.count)..<end]) }
                start = end + 1
            }
            return nil
        }
    }

    /// The number at the start of `text` after white space; nil if there is none or it overflows.
    package static func number(_ text: ArraySlice<UInt8>) -> Int? {
        var value: Int?
        for byte in text {
            if value == nil, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { continue }
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { break }
            let (tens, isTooLarge) = (value ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, isStillTooLarge) = tens.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
            guard !isTooLarge, !isStillTooLarge else { return nil }
            value = sum
        }
        return value
    }
}

/// The numeric names in a kernel folder: process or thread IDs.
package func numberedEntries(_ path: String) throws(SystemFault) -> [Int32] {
    var numbers: [Int32] = []
    try forEachEntry(of: path) { name in
        let number = atoi(name)
        if number > 0 { numbers.append(number) }
    }
    return numbers
}

/// Passes the names in a kernel folder, in place: each has 256 bytes, of which a few are used.
func forEachEntry(of path: String, _ body: (UnsafePointer<CChar>) -> Void) throws(SystemFault) {
    guard let folder = opendir(path) else { throw SystemFault(path, code: errno) }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
        let name = UnsafeRawPointer(entry).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name)!)
        body(name.assumingMemoryBound(to: CChar.self))
    }
}
