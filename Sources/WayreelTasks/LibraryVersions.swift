internal import WayreelAV
package import WayreelCore
internal import WayreelDrawing
internal import WayreelFace
internal import WayreelImage

/// Versions of the libraries in use, for benchmark reports.
public enum LibraryVersions {
    /// Versions by library name.
    public static var all: [String: String] { FFmpegVersions.all }

    /// Name prefixes of the libraries that decode, scale, draw or encode. A program that uses Wayreel may load others.
    private static let relevant = [
        "libFLAC", "libSvtAv1", "libaom", "libav", "libcairo", "libdav1d", "libde265", "libebur128", "libfontconfig",
        "libfreetype",
        "libharfbuzz", "libheif", "libjpeg", "libjxl", "liblcms2", "libopus", "libpango", "libpng", "libsharpyuv",
        "libsw", "libtiff", "libvpx", "libwebp", "libwoff2", "libx264", "libx265", "libzimg",
    ]

    /// Returns the files of all shared libraries that outputs depend on, each with its size and time of modification,
    /// which change if a package is upgraded.
    package static func files() throws(MediaError) -> [String] {
        for library in SharedLibrary.ofImages + SharedLibrary.ofFonts + [.pango] { library.loadIfInstalled() }
        try FFmpegVersions.load()
        return try files { name in relevant.contains(where: name.hasPrefix) }
    }

    /// Returns the file of the library that draws SVG, which is loaded for such drawings alone.
    ///
    /// Throws an `io` error if it is not installed.
    package static func ofDrawings() throws(MediaError) -> String {
        try SharedLibrary.librsvg.require(step: .plan)
        return try files { $0.hasPrefix("librsvg") }.joined(separator: " ")
    }

    /// Returns the files of loaded libraries with such names, each with its size and time of modification.
    private static func files(_ isWanted: (String) -> Bool) throws(MediaError) -> [String] {
        let maps = try MediaBytes.read(path: "/proc/self/maps", limit: 1 << 24)
        let text = withExtendedLifetime(maps) { String(decoding: $0.buffer, as: UTF8.self) }
        // The sixth column is the path.
        let paths = Set(
            text.split(separator: "\n").compactMap { line -> String? in
                guard let start = line.firstIndex(of: "/") else { return nil }
                let path = String(line[start...])
                let name = path.fileName ?? ""
                return name.contains(".so") && isWanted(name) ? path : nil
            })
        return paths.sorted().compactMap { path in
            guard let status = try? FileStatus(path) else { return nil }
            let name = path.fileName ?? ""
            return "\(name) \(status.byteCount) \(status.modified)"
        }
    }
}
