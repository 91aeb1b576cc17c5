internal import CTIFF
internal import WayreelCore

/// libtiff, loaded on first use.
enum TIFFLibrary {
    /// Throws an `io` error if it is not installed.
    static func load(step: String) throws(MediaError) {
        try SharedLibrary.check(ctiff_load(), "libtiff", packages: "libtiff6", step: step)
    }
}

/// A TIFF file opened by libtiff.
final class TIFFFile {
    let pointer: OpaquePointer
    let bytes: MediaBytes

    /// `maxAllocation` is the max size of a single allocation by libtiff in bytes.
    init(_ bytes: MediaBytes, maxAllocation: Int) throws(MediaError) {
        try TIFFLibrary.load(step: "decode")
        var message = [CChar](repeating: 0, count: Int(CTIFF_MESSAGE))
        guard let pointer = ctiff_open(bytes.buffer.baseAddress, bytes.count, UInt64(maxAllocation), &message) else {
            throw Self.fault(message.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
        }
        self.pointer = pointer
        self.bytes = bytes
    }

    deinit { ctiff_close(pointer) }

    var pageCount: Int { Int(ctiff_page_count(pointer)) }

    /// Selects a page, from 0.
    func page(_ index: Int) throws(MediaError) -> ctiff_page {
        var page = ctiff_page()
        guard ctiff_choose(pointer, UInt32(clamping: index), &page) == 0 else {
            throw Self.fault(error ?? "page \(index + 1) cannot be read")
        }
        return page
    }

    var error: String? { Self.text(ctiff_error(pointer)) }
    var warning: String? { Self.text(ctiff_warning(pointer)) }

    private static func text(_ pointer: UnsafePointer<CChar>) -> String? {
        let text = String(cString: pointer)
        return text.isEmpty ? nil : text.onOneLine
    }

    static func fault(_ reason: String) -> MediaError {
        MediaError(.decoding, step: "decode", reason: "not a readable TIFF (libtiff: \(reason))")
    }

    static func unsupported(
        _ what: String, advice: MediaError.Advice = "save it as RGB with 8 or 16 bits first"
    ) -> MediaError {
        MediaError(.unsupported, step: "decode", reason: "TIFF: \(what)", advice: advice)
    }
}
