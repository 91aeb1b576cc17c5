/// A C library that is loaded on first use. Each target lists the libraries that it calls, in extensions.
package struct SharedLibrary: Sendable {
    private let name: String
    /// The names for `apt install`.
    private let packages: String
    /// Loads the library once, from any thread. Returns nil, or the reason of the dynamic linker.
    private let load: @Sendable () -> UnsafePointer<CChar>?

    package init(_ name: String, packages: String, load: @escaping @Sendable () -> UnsafePointer<CChar>?) {
        (self.name, self.packages, self.load) = (name, packages, load)
    }

    /// Loads the library; must be called before any of its functions. Throws an `io` error if it is not installed. The
    /// kind is `io` because the machine lacks the library; the media is fine.
    package func require(step: MediaError.Step) throws(MediaError) {
        guard let failure = load() else { return }
        throw MediaError(
            .io, step: step, reason: "\(name) cannot be loaded (\(String(cString: failure)))",
            advice: "install it: apt install \(packages)")
    }

    /// Loads the library if it is installed, so that it is among those of the process.
    package func loadIfInstalled() { _ = load() }
}
