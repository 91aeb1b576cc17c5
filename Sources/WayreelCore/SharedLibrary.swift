/// A library that is loaded when it is first needed.
package enum SharedLibrary {
    /// Throws an `io` error where `failure` is a reason of the dynamic linker's why it is not there: no matter of the media, which
    /// could be left out.
    ///
    /// `packages`: what Debian has it in, as for `apt install`.
    package static func check(
        _ failure: UnsafePointer<CChar>?, _ name: String, packages: String, step: String
    ) throws(MediaError) {
        guard let failure else { return }
        throw MediaError(
            .io, step: step, reason: "\(name) cannot be loaded (\(String(cString: failure)))",
            advice: "install it: apt install \(packages)")
    }
}
