/// The range of bytes that a `Range` header requests (RFC 9110, section 14).
enum RequestedRange: Equatable {
    /// The whole content. The header is missing or ignored: it has another unit, several ranges or wrong syntax.
    case whole
    case part(Range<Int>)
    case unsatisfiable

    init(header: String?, count: Int) {
        self = .whole
        guard let header, header.hasPrefix("bytes=") else { return }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return }
        // A number that does not fit is larger than any content.
        let numbers = ends.map { $0.isEmpty ? nil : Int($0) ?? .max }
        switch (numbers[0], numbers[1]) {
        case (let first?, let last):
            guard last.map({ $0 >= first }) ?? true else { return }
            self = first < count ? .part(first..<min(count - 1, last ?? .max) + 1) : .unsatisfiable
        case (nil, let suffix?):
            self = suffix > 0 && count > 0 ? .part(max(0, count - suffix)..<count) : .unsatisfiable
        default: return
        }
    }
}
