internal import WayreelCore

/// The role of an auxiliary image.
enum HEIFPurpose: String {
    case alpha
    case depth = "depth map"
    case gainMap = "gain map"
    case portraitMatte = "portrait matte"
    case skinMatte = "skin matte"
    case hairMatte = "hair matte"
    case teethMatte = "teeth matte"
    case glassesMatte = "glasses matte"
    case skyMatte = "sky matte"

    /// Parses the URN of an `auxC` property (ISO/IEC 23008-12, annexes; MIAF, section 7.3.5.2; Apple's own).
    init?(urn: String) {
        guard let purpose = Self.urns[urn] else { return nil }
        self = purpose
    }

    private static let urns: [String: HEIFPurpose] = [
        "urn:mpeg:hevc:2015:auxid:1": .alpha,
        "urn:mpeg:avc:2015:auxid:1": .alpha,
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha": .alpha,
        "urn:mpeg:hevc:2015:auxid:2": .depth,
        "urn:mpeg:mpegB:cicp:systems:auxiliary:depth": .depth,
        "urn:com:apple:photo:2020:aux:hdrgainmap": .gainMap,
        "urn:com:apple:photo:2018:aux:portraiteffectsmatte": .portraitMatte,
        "urn:com:apple:photo:2019:aux:semanticskinmatte": .skinMatte,
        "urn:com:apple:photo:2019:aux:semantichairmatte": .hairMatte,
        "urn:com:apple:photo:2019:aux:semanticteethmatte": .teethMatte,
        "urn:com:apple:photo:2020:aux:semanticglassesmatte": .glassesMatte,
        "urn:com:apple:photo:2020:aux:semanticskymatte": .skyMatte,
    ]
}

extension HEIFItem {
    /// The role of an auxiliary image; nil if unknown.
    var purpose: HEIFPurpose? { auxiliaryType.flatMap { HEIFPurpose(urn: $0) } }

    fileprivate var auxiliaryType: String? {
        for case .auxiliaryType(let urn) in properties.lazy.map(\.value) { return urn }
        return nil
    }

    /// Whether it is an image: coded or derived.
    fileprivate var isImage: Bool {
        ["hvc1", "av01", "grid", "iden", "iovl", "jpeg", "j2k1", "avc1", "vvc1", "unci"].contains(type)
    }
}

extension HEIFFile {
    /// The EXIF block of the primary image.
    var exif: [UInt8]? { metadata { $0.type == "Exif" }.flatMap(EXIFBlock.withoutOffset) }

    var xmp: [UInt8]? { metadata { $0.type == "mime" && $0.contentType == "application/rdf+xml" } }

    private func metadata(where matches: (HEIFItem) -> Bool) -> [UInt8]? {
        let found = sources("cdsc", of: primary).first { items[$0].map(matches) == true }
        let bytes = found.map { data(of: $0).bytes }
        return bytes?.isEmpty == false ? bytes : nil
    }

    /// Returns the image that `item` is a thumbnail of; nil if it is not a thumbnail.
    func original(of item: Int) -> Int? {
        targets("thmb", of: item).first { $0 != item && items[$0]?.isImage == true && targets("thmb", of: $0).isEmpty }
    }

    /// Returns the alpha plane of an image.
    func alphaItem(of item: Int) -> Int? { sources("auxl", of: item).first { items[$0]?.purpose == .alpha } }

    /// Whether the primary image has alpha: of its own, or that of its tiles.
    var hasAlpha: Bool {
        alphaItem(of: primary) != nil || targets("dimg", of: primary).contains { alphaItem(of: $0) != nil }
    }

    var hasThumbnail: Bool { !sources("thmb", of: primary).isEmpty }

    /// Auxiliary images of the primary one except its alpha, by name and size: `gain map 2016×1512`, `depth map
    /// 768×576`.
    var auxiliaryImages: [String] {
        var names = sources("auxl", of: primary).filter { items[$0]?.purpose != .alpha }.map { id in
            let name = items[id]?.purpose?.rawValue ?? items[id]?.auxiliaryType ?? "auxiliary image"
            return name + (items[id]?.size.map { " \($0)" } ?? "")
        }
        // A gain map of ISO 21496-1 is an input of a tone-mapped image, beside the primary image.
        for (id, _) in items.sorted(by: { $0.key < $1.key }) where items[id]?.type == "tmap" {
            let inputs = targets("dimg", of: id)
            guard inputs.contains(primary) else { continue }
            let map = inputs.first { $0 != primary }.flatMap { items[$0]?.size }
            names.append(HEIFPurpose.gainMap.rawValue + (map.map { " \($0)" } ?? ""))
        }
        return names
    }

    /// Images shown independently: not hidden, not an input of another image, not auxiliary.
    func findTopLevelImages() -> [Int] {
        let found = items.filter { id, item in
            let isInput = !references.sources("dimg", of: id).isEmpty
            let isAuxiliary = references.hasTargets("thmb", of: id) || references.hasTargets("auxl", of: id)
            return item.isImage && !item.isHidden && (id == primary || !isInput && !isAuxiliary)
        }
        return found.keys.sorted()
    }
}
