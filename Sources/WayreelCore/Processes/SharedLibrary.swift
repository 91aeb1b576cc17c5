/// A library loaded on first use.
package enum SharedLibrary {
    /// Throws an `io` error if the dynamic linker returned `failure`. The kind is `io` because the machine lacks the
    /// library; the media is fine.
    ///
    /// `packages` are the names for `apt install`.
    package static func check(
        _ failure: UnsafePointer<CChar>?, _ name: String, packages: String, step: MediaError.Step
    ) throws(MediaError) {
        guard let failure else { return }
        throw MediaError(
            .io, step: step, reason: "\(name) cannot be loaded (\(String(cString: failure)))",
            advice: "install it: apt install \(packages)")
    }
}
