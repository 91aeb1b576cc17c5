internal import CLinux

/// The reason for which a form is refused.
package enum FormFault: Error, Hashable {
    case noBoundary
    case noFile
    case damaged
}

/// Finds the file in a form (`multipart/form-data`, RFC 7578) while the form arrives.
///
/// Whatever a client sends, delimiters are found in linear time, and of each piece only as many bytes are kept as a delimiter
/// or the head of a part has.
package struct MultipartForm {
    private enum State {
        case preamble
        case head
        /// In the content of the file, or of another part.
        case content(isFile: Bool)
        /// After the file.
        case file
    }

    private let delimiter: [UInt8]
    private var state = State.preamble
    /// Bytes that are not passed on yet. The first delimiter may be at the very beginning.
    private var rest = Array("\r\n".utf8)

    private static let headEnd = Array("\r\n\r\n".utf8)
    private static let maxHeadBytes = 16 << 10

    package init(boundary: String) { delimiter = Array("\r\n--\(boundary)".utf8) }

    /// Returns the boundary in a content type; nil for another type. Throws if it is missing or too long.
    package static func boundary(_ contentType: String) throws(FormFault) -> String? {
        let parts = HeaderText.split(contentType, at: ";")
        guard parts.first?.lowercased() == "multipart/form-data" else { return nil }
        let parameter = parts.first { $0.lowercased().hasPrefix("boundary=") }?.dropFirst(9)
        let boundary = parameter.map { $0.hasPrefix("\"") ? $0.dropFirst().prefix { $0 != "\"" } : $0 }
        guard let boundary, (1...70).contains(boundary.utf8.count) else {
            throw .noBoundary
        }
        return String(boundary)
    }

    /// Reads the next bytes of the form, and passes the content of the first part with a file name on. The other parts, and
    /// what follows the file, are dropped. Throws a ``FormFault`` for a form without a file, and what `content` throws.
    package mutating func read(
        _ piece: UnsafeRawBufferPointer, _ content: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        if case .file = state { return }
        rest += piece
        var start = 0
        while try step(&start, content) {}
        rest.removeFirst(start)
    }

    /// Throws if the form ended before its file did.
    package func finish() throws(FormFault) {
        guard case .file = state else { throw .damaged }
    }

    /// Handles the bytes from `start` on, and moves it. Returns whether more can be done with what there is.
    private mutating func step(
        _ start: inout Int, _ content: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Bool {
        switch state {
        case .preamble, .content(isFile: false):
            guard let found = find(delimiter, from: start) else {
                start = max(start, rest.count - delimiter.count + 1)
                return false
            }
            (start, state) = (found + delimiter.count, .head)
            return true
        case .head:
            // The last delimiter is followed by two hyphens.
            if rest[start...].starts(with: "--".utf8) { throw FormFault.noFile }
            guard let end = find(Self.headEnd, from: start) else {
                guard rest.count - start <= Self.maxHeadBytes else { throw FormFault.damaged }
                return false
            }
            let lines = String(decoding: rest[start..<end], as: UTF8.self).split(separator: "\r\n")
            let isFile = lines.contains { line in
                let parameters = HeaderText.split(line.lowercased(), at: ";")
                return parameters.first?.hasPrefix("content-disposition:") ?? false
                    && parameters.dropFirst().contains { $0.hasPrefix("filename=") || $0.hasPrefix("filename*=") }
            }
            (start, state) = (end + Self.headEnd.count, .content(isFile: isFile))
            return true
        case .content(isFile: true):
            let found = find(delimiter, from: start)
            let end = found ?? max(start, rest.count - delimiter.count + 1)
            if end > start {
                try rest.withUnsafeBytes { try content(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
            }
            start = found == nil ? end : rest.count
            if found != nil { state = .file }
            return false
        case .file: return false
        }
    }

    private func find(_ needle: [UInt8], from start: Int) -> Int? {
        rest.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, bytes.count > start,
                let found = wr_find(base + start, bytes.count - start, needle, needle.count)
            else { return nil }
            return found - base
        }
    }
}
