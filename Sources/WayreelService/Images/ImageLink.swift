internal import Glibc
package import WayreelCore
package import WayreelSigning

/// Addresses of images, for pages that show them.
package enum ImageLink {
    /// The address of an image with options, signed with the first of `keys`; without keys an unsigned one. With
    /// `sourceKeys`, the source is encrypted.
    ///
    /// Throws a `parameter` error for a wrong option or source.
    package static func path(
        source: String, options: [(name: String, value: String)], keys: SigningKeys?,
        sourceKeys: SourceKeys? = nil, secondsValid: Int? = nil,
        base: String = ""
    ) throws(MediaError) -> String {
        var options = options
        if let secondsValid { options.append(("expires", "\(Int64(time(nil)) + Int64(secondsValid))")) }
        var checked = ImageOptions()
        for option in options { try checked.set(option.name, option.value) }
        let parts = source.split(separator: "/", omittingEmptySubsequences: false)
        let isPath = !parts.isEmpty && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") }
        guard RemoteSources.isRemote(source) ? RemoteURL(source) != nil : isPath else {
            throw MediaError(
                .parameter, step: "url", subject: source, reason: "is neither a path in the image folder nor a URL",
                advice: "write it as in photos/tower.jpg or https://photos.example.org/tower.jpg")
        }
        let signed = ImageAddress.signed(
            options: options,
            source: try sourceKeys.map { (keys) throws(MediaError) in try keys.encrypt(source) } ?? source)
        return base + ImageAddress.prefix + (keys?.signature(of: signed) ?? "unsafe") + signed
    }
}
