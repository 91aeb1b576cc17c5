internal import Glibc

/// The time zones of this machine's copy of the IANA database.
enum TimeZones {
    private static let folder = "/usr/share/zoneinfo"

    /// Whether the zone may exist: true if this machine has no database.
    static func mayKnow(_ zone: String) -> Bool {
        let isFile = { (name: String) in
            var status = stat()
            return stat("\(folder)/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        }
        return isFile(zone) || !isFile("UTC")
    }
}
