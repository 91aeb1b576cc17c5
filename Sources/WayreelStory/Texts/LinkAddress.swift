internal import Glibc
internal import WayreelCore

/// The addresses that links may lead to.
enum LinkAddress {
    static let maxLength = 2000

    /// What they are, for messages.
    static let expectation = "a whole address that begins with \(RichText.schemes.map { "\($0):" }.alternatives)"

    /// Says what is wrong with an address; returns nil if a link may lead to it.
    ///
    /// Browsers take `\` for `/`, and what stands before an `@` for a user: another host than the one that seems to be
    /// named.
    static func fault(_ address: String, ofAtMost maxLength: Int = Self.maxLength) -> String? {
        if address.isLonger(than: maxLength) {
            return "it has more than \(maxLength) characters"
        }
        if address.unicodeScalars.contains(where: isRefused) {
            return "it has a space, or another character that no address has; write a space as %20"
        }
        let parts = address.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, RichText.schemes.contains(parts[0].lowercased()), !parts[1].isEmpty else {
            return "a link takes \(expectation)"
        }
        switch parts[0].lowercased() {
        case "mailto": return faultOfMailboxes(parts[1])
        case "tel":
            // What codes of networks have, as `*` and `#`, would change a phone's settings on some.
            let number = parts[1].prefix { $0 != ";" }
            let digits = number.hasPrefix("+") ? number.dropFirst() : number
            let isNumber = digits.contains { $0.isNumber } && digits.utf8.allSatisfy("0123456789-.()".utf8.contains)
            return isNumber ? nil : "it has no number, as in tel:+43-1-5250000"
        case "geo":
            let numbers = parts[1].prefix { !";?".contains($0) }.split(separator: ",", omittingEmptySubsequences: false)
                .map { DecimalNumber.value($0) }
            let isPosition =
                (2...3).contains(numbers.count) && !numbers.contains(nil) && (-90...90).contains(numbers[0] ?? .nan)
                && (-180...180).contains(numbers[1] ?? .nan)
            return isPosition ? nil : "it has no latitude and longitude, as in geo:48.2082,16.3738"
        default:
            let authority = parts[1].hasPrefix("//") ? parts[1].dropFirst(2).prefix { !"/?#".contains($0) } : ""
            if authority.contains("@") { return "it has a user's name before the '@', which a link may not have" }
            return WebHost.fault(authority)
        }
    }

    /// The receivers of a message, with commas between them (RFC 6068, section 2).
    private static func faultOfMailboxes(_ address: Substring) -> String? {
        for mailbox in address.prefix(while: { $0 != "?" }).split(separator: ",", omittingEmptySubsequences: false) {
            let parts = mailbox.split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, !parts[1].contains(":") else {
                return "it has no address of e-mail, as in mailto:info@example.org"
            }
            if let fault = WebHost.fault(parts[1]) { return fault }
        }
        return nil
    }

    /// White space, control characters, those that turn the direction of letters, and those that RFC 3987 excludes and
    /// that have a meaning in texts.
    private static func isRefused(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x20, 0x7F...0x9F: true
        default:
            scalar.properties.isWhitespace || scalar.properties.isBidiControl
                || "<>\"\\".unicodeScalars.contains(scalar)
        }
    }
}

/// The host and the port of an address on the web.
///
/// Taken are those that browsers read as they are written: names without escapes and without characters that stand for
/// others, and IP addresses in their usual forms. Sources: WHATWG URL, sections 3.2 to 3.5; RFC 3986, section 3.2; of
/// names in other letters than those of ASCII, RFC 5892 and RFC 5893.
enum WebHost {
    /// Says what is wrong with `example.org:8080`; returns nil if browsers can go there.
    static func fault(_ authority: Substring) -> String? {
        let host: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return "its '[' has no ']', as in https://[::1]/" }
            host = authority[...end]
            guard isNumeric(host.dropFirst().dropLast(), AF_INET6) else {
                return "'\(host.prefix(60))' is no IPv6 address, as in https://[::1]/"
            }
        } else {
            host = authority.prefix { $0 != ":" }
            if host.isEmpty { return "it has no host, as in https://example.org" }
            guard isName(host) else { return "'\(host.prefix(60))' is no name of a host, as in https://example.org" }
        }
        let port = authority[host.endIndex...]
        if port.isEmpty || port == ":" { return nil }
        let digits = port.hasPrefix(":") ? port.dropFirst() : port
        guard port.hasPrefix(":"), digits.utf8.allSatisfy("0123456789".utf8.contains), Int(digits) ?? .max <= 65_535
        else { return "'\(digits.prefix(60))' is no port from 0 to 65535" }
        return nil
    }

    private static func isName(_ host: Substring) -> Bool {
        var labels = host.split(separator: ".", omittingEmptySubsequences: false)
        // The dot at the end of a name says that it is whole.
        if labels.count > 1, labels.last == "" { labels.removeLast() }
        guard let last = labels.last, host.utf8.count <= 1000, labels.allSatisfy(isLabel) else { return false }
        // Browsers read `256`, `0x7f.1` and `1.2.3.256` as IPv4, and take the last one for none.
        let isNumber = last.utf8.allSatisfy("0123456789".utf8.contains)
        let isHexadecimal =
            last.lowercased().hasPrefix("0x") && last.utf8.dropFirst(2).allSatisfy { $0.hexDigit != nil }
        return isNumber || isHexadecimal ? isNumeric(labels.joined(separator: ".")[...], AF_INET) : true
    }

    private static func isLabel(_ label: Substring) -> Bool {
        let scalars = label.unicodeScalars
        guard let first = scalars.first, scalars.count <= 63, scalars.allSatisfy(isOfNames),
            label.lowercased() != "xn--", !first.properties.generalCategory.isMark
        else { return false }
        guard scalars.contains(where: \.isRightToLeft) else { return true }
        return first.isRightToLeft && scalars.allSatisfy { $0.isRightToLeft || !$0.properties.isAlphabetic }
    }

    /// Letters, marks, digits and hyphens that a name keeps, apart from their case.
    private static func isOfNames(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.properties.isAlphabetic || "0123456789-_".unicodeScalars.contains(scalar) }
        // Both are letters of their own in today's names (UTS 46, section 7).
        if "ßς".unicodeScalars.contains(scalar) { return true }
        let category = scalar.properties.generalCategory
        return (scalar.properties.isAlphabetic || category.isMark || category == .decimalNumber)
            && scalar.properties.lowercaseMapping.unicodeScalars.allSatisfy {
                !$0.properties.changesWhenNFKCCaseFolded
            }
    }

    private static func isNumeric(_ text: Substring, _ family: Int32) -> Bool {
        var address = in6_addr()
        return inet_pton(family, String(text), &address) == 1
    }
}

extension Unicode.Scalar {
    /// Whether it stands in a block of scripts that are written from right to left.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isMark: Bool { [.nonspacingMark, .spacingMark, .enclosingMark].contains(self) }
}
