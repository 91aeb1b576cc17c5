internal import CHEIF
internal import WayreelCore

/// A libheif context for reading or writing. Loads libheif on first use.
final class HEIFContext {
    let pointer: OpaquePointer

    /// Throws an `io` error if libheif is not installed.
    init(step: String) throws(MediaError) {
        try SharedLibrary.check(heif_library_load(), "libheif", packages: "libheif1", step: step)
        guard let pointer = heif_context_alloc() else {
            throw MediaError(.limit, step: step, reason: "libheif: no memory")
        }
        self.pointer = pointer
    }

    deinit { heif_context_free(pointer) }
}

extension heif_error {
    /// Throws libheif's error as a `kind` error of `step`.
    func check(_ kind: MediaError.Kind, step: String) throws(MediaError) {
        guard code != heif_error_Ok else { return }
        let reason = text ?? "error \(code.rawValue).\(subcode.rawValue)"
        switch code {
        case heif_error_Memory_allocation_error where subcode == heif_suberror_Security_limit_exceeded:
            throw MediaError(.limit, step: step, reason: "libheif: \(reason)")
        case heif_error_Unsupported_feature, heif_error_Unsupported_filetype:
            throw MediaError(
                .unsupported, step: step, reason: "libheif: \(reason)",
                advice: "a plugin of libheif for this codec may be missing")
        default:
            throw MediaError(kind, step: step, reason: "libheif: \(reason)")
        }
    }

    /// The message, which may end with a line break.
    var text: String? {
        message.map { String(cString: $0).split(whereSeparator: \.isNewline).joined(separator: " ") }
            .flatMap { $0.isEmpty ? nil : $0 }
    }
}
