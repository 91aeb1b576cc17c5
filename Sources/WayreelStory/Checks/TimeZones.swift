internal import Glibc

/// The time zones of this machine's copy of the IANA database.
enum TimeZones {
    private static let folder = "/usr/share/zoneinfo"

    /// Whether there is such a zone, as far as this machine can say: true where it has no database.
    static func mayKnow(_ zone: String) -> Bool {
        let isFile = { (name: String) in
            var status = stat()
            return stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
        return isFile(zone) || !isFile("UTC")
    }
}
