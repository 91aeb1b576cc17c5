/// The range of bytes that a `Range` header requests (RFC 9110, section 14).
enum ByteRange: Equatable {
    /// The whole content: there is no header, or one that is ignored: another unit, several ranges, wrong syntax.
    case whole
    case part(Range<Int>)
    case unsatisfiable

    init(header: String?, count: Int) {
        self = .whole
        guard let header, header.hasPrefix("bytes=") else { return }
        let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return }
        switch (Int(ends[0]), Int(ends[1])) {
        case (let first?, let last) where last != nil || ends[1].isEmpty:
            guard last.map({ $0 >= first }) ?? true else { return }
            self = first < count ? .part(first..<min(count, (last ?? count - 1) &+ 1)) : .unsatisfiable
        case (nil, let suffix?) where ends[0].isEmpty:
            self = suffix > 0 && count > 0 ? .part(max(0, count - suffix)..<count) : .unsatisfiable
        default: return
        }
    }
}
