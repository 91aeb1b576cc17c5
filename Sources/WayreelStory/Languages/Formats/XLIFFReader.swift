internal import WayreelCore
internal import WayreelDocument

/// Reads XLIFF 1.0 to 2.1: the units that have a key as their id or name, or as a place.
///
/// Inline elements, which other tools put around markup, count as the text that they stand for. A document type
/// declaration is refused; elements of modules and of other namespaces are not read.
final class XLIFFReader: XMLEventReceiver {
    static func read(_ bytes: [UInt8], into collector: UnitCollector) throws(MediaError) -> TranslationFile {
        try SharedLibrary.libxml2.require(step: .read)
        let reader = XLIFFReader(collector)
        let isWhole = bytes.withUnsafeBytes { XMLEvents.parse($0, to: reader) }
        if let error = reader.error { throw error }
        guard isWhole else { throw reader.malformed ?? collector.fault(0, "the document ends too early") }
        return try reader.collector.file(reader.head)
    }

    private enum Open {
        /// An element whose children are read.
        case container
        case skipped
        case unit, segment, previous
        /// An element that ends with the text in ``text``.
        case text((XLIFFReader, String) -> Void)
        /// An element in a text, with the text that its end stands for.
        case inline(end: String)
    }

    /// A part of a text, as CAT tools split it.
    private struct Segment {
        var source = ""
        var target: String?
        var state: String?
        var order: Int?
        var isIgnorable = false
    }

    private var collector: UnitCollector
    private var head = UnitCollector.Head()
    private var error: MediaError?
    private var malformed: MediaError?
    private var open: [(kind: Open, preservesSpace: Bool)] = []
    private var count = 0
    private var line = 1
    private var isVersion2 = false

    private var text: [UInt8] = []
    private var unit = TranslationFile.Unit(key: "", source: "")
    private var unitLine = 0
    private var candidates: [String] = []
    private var segments: [Segment] = []
    /// Whether the unit is the header of a PO file, as Translate Toolkit's po2xliff writes it.
    private var isHeader = false
    /// The markup in XLIFF 2 that inline elements refer to.
    private var data: [String: String] = [:]
    private var place: (file: String, line: String) = ("", "")

    private init(_ collector: UnitCollector) { self.collector = collector }

    // MARK: Events

    func start(_ name: String, space: String?, _ attributes: XMLAttributes, at place: XMLPlace) -> Bool {
        line = place.line
        count += 1
        guard open.count < DocumentLimits.depth, count <= DocumentLimits.elements else {
            return stop(collector.fault(line, "there are too many elements, or nested too deep", kind: .limit))
        }
        if open.isEmpty, !root(name, space, attributes) { return false }
        let isOurs = Self.isXLIFF(space)
        let parent = open.last?.kind
        let preserves = attributes["space"].map { $0 == "preserve" } ?? open.last?.preservesSpace ?? false
        let kind: Open =
            switch parent {
            case .skipped: .skipped
            case .text, .inline: inline(name, attributes, isOurs)
            case _ where !isOurs: .skipped
            default: element(name, attributes)
            }
        open.append((kind, preserves))
        return error == nil
    }

    func end() -> Bool {
        guard let (kind, preserves) = open.popLast() else { return false }
        switch kind {
        case .container, .skipped, .previous: break
        case .unit: endUnit()
        case .segment: break
        case .inline(let end):
            text += end.utf8
            checkLength()
        case .text(let store):
            let string = String(decoding: text, as: UTF8.self)
            store(self, preserves ? string : string.trimmed { $0.isWhitespace && $0.isASCII })
            text = []
        }
        return error == nil
    }

    func text(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch open.last?.kind {
        case .text, .inline:
            text += bytes
            checkLength()
        default: break
        }
        return error == nil
    }

    /// Elements in a text stand for others, any number of times.
    private func checkLength() {
        guard text.count > TranslationLimits.characters * 4 else { return }
        _ = stop(
            collector.fault(
                unitLine, "a text has more than \(TranslationLimits.characters) characters", kind: .limit))
    }

    func doctype(at place: XMLPlace) -> Bool {
        stop(
            collector.fault(
                place.line, "there is a document type declaration; XLIFF has none, and its entities are not read"))
    }

    func fault(_ message: String, line: Int, column: Int) {
        malformed = malformed ?? collector.fault(line, message.trimmed())
    }

    private func stop(_ error: MediaError) -> Bool {
        self.error = self.error ?? error
        return false
    }

    // MARK: Elements

    /// Whether a namespace is that of a version of XLIFF; the first versions had none.
    private static func isXLIFF(_ space: String?) -> Bool {
        space?.hasPrefix("urn:oasis:names:tc:xliff:document:") ?? true
    }

    private func root(_ name: String, _ space: String?, _ attributes: XMLAttributes) -> Bool {
        let version = attributes["version"] ?? ""
        guard name == "xliff", Self.isXLIFF(space) else {
            let place = space.map { " of the namespace '\($0)'" } ?? ""
            return stop(collector.fault(line, "is not XLIFF: its first element is <\(name)>\(place)"))
        }
        guard version.hasPrefix("1.") || version.hasPrefix("2.") else {
            return stop(collector.fault(line, "has the XLIFF version '\(version)'; 1.0 to 2.1 are read"))
        }
        isVersion2 = version.hasPrefix("2.")
        head = UnitCollector.Head(
            story: nil, sourceLanguage: attributes["srcLang"], language: attributes["trgLang"], line: line)
        return true
    }

    private func element(_ name: String, _ attributes: XMLAttributes) -> Open {
        switch name {
        case "file":
            guard readHead(attributes) else { return .skipped }
            return .container
        case "trans-unit" where !isVersion2, "unit" where isVersion2:
            guard !isInUnit else {
                _ = stop(collector.fault(line, "there is a <\(name)> in another one"))
                return .skipped
            }
            beginUnit(attributes)
            return .unit
        case "segment", "ignorable":
            guard isInUnit else { return .skipped }
            guard segments.count < TranslationLimits.parts else {
                _ = stop(
                    collector.fault(
                        unitLine, "there are more than \(TranslationLimits.parts) segments of a text", kind: .limit))
                return .skipped
            }
            segments.append(Segment(state: attributes["state"], isIgnorable: name == "ignorable"))
            return .segment
        case "source", "target": return translation(name, attributes)
        case "alt-trans":
            let isPrevious = attributes["alttranstype"] == "previous-version" || attributes["origin"] == "previous"
            return isPrevious ? .previous : .skipped
        case "note":
            let category = attributes["category"] ?? attributes["from"] ?? ""
            return .text { $0.note($1, category) }
        case "data":
            guard let id = attributes["id"] else { return .skipped }
            return .text { $0.data[id] = $1 }
        case "context-group":
            place = ("", "")
            return attributes["purpose"] == "location" ? .container : .skipped
        case "context":
            switch attributes["context-type"] {
            case "sourcefile": return .text { $0.add(file: $1) }
            case "linenumber": return .text { $0.add(line: $1) }
            default: return .skipped
            }
        case "seg-source", "header", "bin-unit", "skeleton": return .skipped
        default: return .container
        }
    }

    private var isInUnit: Bool { open.contains { if case .unit = $0.kind { true } else { false } } }

    /// Reads what a file says about itself. Several files in one document have to say the same.
    private func readHead(_ attributes: XMLAttributes) -> Bool {
        head.line = line
        let original = attributes["original"] ?? ""
        if original.hasPrefix(XLIFFWriter.originalPrefix) {
            let story = String(original.dropFirst(XLIFFWriter.originalPrefix.count))
            if let other = head.story, other != story {
                return stop(collector.fault(line, "there are translations of two stories, '\(other)' and '\(story)'"))
            }
            head.story = story
        }
        // Tools write de_AT as well.
        if let tag = attributes["source-language"] { head.sourceLanguage = LanguageTag.ofGettext(tag) }
        if let tag = attributes["target-language"] {
            let tag = LanguageTag.ofGettext(tag)
            if let other = head.language, other != tag {
                return stop(collector.fault(line, "there are translations to two languages, '\(other)' and '\(tag)'"))
            }
            head.language = tag
        }
        return true
    }

    /// Begins to read a source or a target, of a unit, a segment, or of what was translated before.
    private func translation(_ name: String, _ attributes: XMLAttributes) -> Open {
        switch open.last?.kind {
        case .previous: return name == "source" ? .text { $0.unit.previousSource = $1 } : .skipped
        case .unit where !isVersion2:
            if segments.isEmpty { segments.append(Segment()) }
        case .segment: break
        default: return .skipped
        }
        if name == "source" { return .text { $0.segments[$0.segments.count - 1].source = $1 } }
        if !isVersion2 {
            let qualifier = attributes["state-qualifier"]
            let isGuess = qualifier == "fuzzy-match" || qualifier == "mt-suggestion"
            segments[segments.count - 1].state = isGuess ? "needs-review-translation" : attributes["state"]
        }
        segments[segments.count - 1].order = attributes["order"].flatMap { Int($0) }
        return .text { $0.segments[$0.segments.count - 1].target = $1 }
    }

    /// Reads an element in a text, and adds the text that its start stands for.
    private func inline(_ name: String, _ attributes: XMLAttributes, _ isOurs: Bool) -> Open {
        guard isOurs else { return .inline(end: "") }
        switch name {
        case "ph" where isVersion2, "sc", "ec":
            text += (attributes["dataRef"].flatMap { data[$0] } ?? attributes["equiv"] ?? "").utf8
        case "pc":
            text += (attributes["dataRefStart"].flatMap { data[$0] } ?? attributes["equivStart"] ?? "").utf8
            checkLength()
            return .inline(end: attributes["dataRefEnd"].flatMap { data[$0] } ?? attributes["equivEnd"] ?? "")
        case "x", "bx", "ex": text += (attributes["equiv-text"] ?? "").utf8
        case "cp":
            let code = attributes["hex"].flatMap { UInt32($0, radix: 16) }.flatMap { Unicode.Scalar($0) }
            text += (code.map { String($0) } ?? "\u{FFFD}").utf8
        default: break
        }
        checkLength()
        return .inline(end: "")
    }

    // MARK: Units

    private func beginUnit(_ attributes: XMLAttributes) {
        unit = TranslationFile.Unit(key: "", source: "")
        unitLine = line
        (segments, data, place) = ([], [:], ("", ""))
        let id = attributes["id"].map { isVersion2 ? $0.replacing(":", with: "/") : $0 }
        candidates = [isVersion2 ? attributes["name"] : attributes["resname"], id].compactMap(\.self)
        isHeader = attributes["restype"] == "x-gettext-domain-header"
        if attributes["size-unit"] == "char" { unit.maxLength = attributes["maxwidth"].flatMap { Int($0) } }
    }

    private func note(_ text: String, _ category: String) {
        switch category {
        case "developer": UnitNotes.add(linesOf: text, to: &unit)
        case "location": unit.reference = text
        case XLIFFWriter.previousCategory: unit.previousSource = text
        default: unit.translatorComments += UnitNotes.lines(in: text)
        }
        do throws(MediaError) { try collector.checkComments(of: unit, line: line) } catch { _ = stop(error) }
    }

    private func add(file: String) {
        place.file = file
        candidates.append(file)
    }

    private func add(line: String) {
        if unit.reference == nil, !place.file.isEmpty { unit.reference = "\(place.file):\(line)" }
    }

    private func endUnit() {
        if isHeader {
            do throws(MediaError) {
                let header = try POHeader.read(segments.first?.source ?? "", line: unitLine, collector)
                head.story = header.story ?? head.story
                head.sourceLanguage = header.sourceLanguage ?? head.sourceLanguage
                head.language = header.language ?? head.language
            } catch { self.error = self.error ?? error }
            return
        }
        unit.source = segments.map(\.source).joined()
        let parts = segments.filter { !$0.isIgnorable }
        if parts.contains(where: { $0.target?.isEmpty == false }) {
            let ordered = segments.enumerated().sorted { a, b in
                (a.element.order ?? a.offset + 1, a.offset) < (b.element.order ?? b.offset + 1, b.offset)
            }
            unit.translation = ordered.map { $0.element.target ?? $0.element.source }.joined()
            unit.isFuzzy = parts.contains { part in
                part.target == nil || TranslationState.fuzzy.contains(TranslationState.name(part.state ?? ""))
            }
        }
        do throws(MediaError) { try collector.add(unit, line: unitLine, candidates: candidates) } catch {
            self.error = self.error ?? error
        }
    }
}
