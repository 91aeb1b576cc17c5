/// Checks for repeated variants, and of the groups of renditions.
extension HLSValidator {
    /// Checks for repeated variants; one with other audio or subtitles is not a repetition.
    func checkRepetition(_ master: MasterPlaylist, _ name: String, _ findings: inout HLSFindings) {
        var lines: [[String?]: Int] = [:]
        for variant in master.variants {
            let key: [String?] = [variant.uri] + variant.groups
            if let line = lines[key] {
                findings.add(
                    .repeatedVariant, "\(name):\(variant.line)", "\(variant.uri) is a duplicate variant",
                    expected: "the variant of line \(line) alone")
            } else {
                lines[key] = variant.line
            }
        }
    }

    /// Checks the groups: a player shows the names of a group, and plays its default (RFC 8216, section 4.3.4.1.1).
    func checkGroups(_ master: MasterPlaylist, _ name: String, _ findings: inout HLSFindings) {
        var names: [[String]: Int] = [:]
        var defaults: [[String]: Int] = [:]
        for rendition in master.renditions {
            let group = [rendition.type, rendition.group]
            let location = "\(name):\(rendition.line)"
            if let line = names[group + [rendition.name]] {
                findings.add(
                    .renditionGroup, location,
                    "NAME is '\(rendition.name)' again in the group '\(rendition.group)'",
                    expected: "another name than in line \(line)")
            }
            names[group + [rendition.name]] = rendition.line
            guard rendition.isDefault else { continue }
            if let line = defaults[group] {
                findings.add(
                    .renditionGroup, location, "DEFAULT is YES again in the group '\(rendition.group)'",
                    expected: "NO: the default is in line \(line)")
            }
            defaults[group] = rendition.line
        }
    }

    func checkChannels(
        _ member: MasterPlaylist.Rendition, _ track: MeasuredRendition, _ location: String,
        _ findings: inout HLSFindings
    ) {
        // Parameters of the channels follow a slash.
        guard let stated = member.channels, let real = track.first?.audio?.channelCount,
            stated.prefix(while: { $0 != "/" }) != "\(real)"
        else { return }
        findings.add(.audioChannels, location, "CHANNELS is '\(stated)'", expected: "\(real)")
    }

    /// Checks the syntax of the language tags (RFC 5646, section 2.1).
    func checkLanguages(_ master: MasterPlaylist, _ name: String, _ findings: inout HLSFindings) {
        for rendition in master.renditions {
            guard let language = rendition.language, !Self.isLanguageTag(language) else { continue }
            findings.add(
                .language, "\(name):\(rendition.line)", "LANGUAGE is '\(language)'",
                expected: "a tag such as en or pt-BR")
        }
    }

    private static func isLanguageTag(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isWellFormed = parts.allSatisfy { part in
            (1...8).contains(part.count) && part.allSatisfy { isLetter($0) || (48...57).contains($0) }
        }
        return isWellFormed && parts[0].allSatisfy(isLetter) && (parts.count > 1 || parts[0].count > 1)
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 0x20) }
}
