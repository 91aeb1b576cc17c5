internal import Glibc

/// Dates of HTTP headers (RFC 9110, section 5.6.7), in seconds since 1970.
enum HTTPDate {
    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    static func text(_ seconds: Int) -> String {
        var (time, parts) = (seconds, tm())
        gmtime_r(&time, &parts)
        var text = [CChar](repeating: 0, count: 64)
        let count = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns nil for another text. The two obsolete forms, which no client has sent for decades, are ignored.
    static func seconds(_ text: String) -> Int? {
        guard
            let found = text.wholeMatch(
                of: /[A-Z][a-z]{2}, ([0-9]{2}) ([A-Z][a-z]{2}) ([0-9]{4}) ([0-9]{2}):([0-9]{2}):([0-9]{2}) GMT/),
            let month = months.firstIndex(of: String(found.2))
        else { return nil }
        let numbers = [found.1, found.3, found.4, found.5, found.6].compactMap { Int32($0) }
        var parts = tm()
        (parts.tm_mday, parts.tm_mon, parts.tm_year) = (numbers[0], Int32(month), numbers[1] - 1900)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[2], numbers[3], numbers[4])
        return timegm(&parts)
    }

    /// The last change of a file.
    static func modified(_ path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mtim.tv_sec : nil
    }
}
