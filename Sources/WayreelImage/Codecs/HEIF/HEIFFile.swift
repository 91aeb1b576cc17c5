internal import WayreelAV
internal import WayreelCore

/// The items of a HEIF file: coded images, derived images and metadata (ISO/IEC 14496-12, section 8.11; ISO/IEC
/// 23008-12).
///
/// Invalid and truncated parts are ignored.
struct HEIFFile {
    /// The file, which items and locations point into.
    let bytes: MediaBytes
    /// The item to read: the primary one unless another is chosen. If the primary item is a thumbnail, its master
    /// image, as in libheif. No item if the file is only an image sequence.
    private(set) var primary: Int
    let items: [Int: HEIFItem]
    /// Images shown independently, by item ID.
    private(set) var topLevelImages: [Int] = []
    let references: HEIFReferences
    /// The longest image sequence in the file (ISO/IEC 23008-12, section 7) with a supported codec.
    let sequence: HEIFSequence?
    /// Number of frames of the longest image sequence with any codec; 0 without one.
    let sequenceFrames: Int
    private let locations: HEIFLocations

    /// Returns nil without a primary item and without an image sequence.
    init?(_ file: MediaBytes) {
        self.bytes = file
        let bytes = file.buffer
        let box = ISOBoxes(bytes).first { $0.type == "meta" }
        let meta =
            box.map { UnsafeRawBufferPointer(rebasing: $0.body.dropFirst(4)) }
            ?? UnsafeRawBufferPointer(start: nil, count: 0)
        var pitm = ByteCursor(ISOBox.first("pitm", in: meta))
        let version = pitm.read(1)
        pitm.skip(3)
        primary = pitm.read(version == 0 ? 2 : 4)
        items = HEIFItem.items(in: meta)
        sequence = HEIFSequence(longestIn: file)
        sequenceFrames = Self.sequenceFrames(ISOBox.first("moov", in: bytes))
        let hasImage = !pitm.isPastEnd && items[primary] != nil
        guard hasImage || sequenceFrames > 0 else { return nil }
        let references = HEIFReferences(ISOBox.first("iref", in: meta))
        self.references = references
        locations = HEIFLocations(
            iloc: ISOBox.first("iloc", in: meta), idat: ISOBox.first("idat", in: meta), file: bytes,
            sources: references.targets("iloc"))
        if let original = original(of: primary) { primary = original }
        topLevelImages = findTopLevelImages()
    }

    /// Whether the file has a still image; false if it is only an image sequence.
    var hasImage: Bool { items[primary] != nil }

    /// Selects image `page` (from 1). Throws a `parameter` error if it does not exist.
    func choosing(page: Int, limits: Limits) throws(MediaError) -> HEIFFile {
        try limits.check(page: page, of: topLevelImages.count)
        var chosen = self
        chosen.primary = topLevelImages[page - 1]
        return chosen
    }

    /// Returns the bytes of an item.
    func data(of item: Int) -> HEIFData { locations.data(of: item) }

    /// Returns the items that `item` refers to.
    func targets(_ type: String, of item: Int) -> [Int] { references.targets(type, of: item) }

    /// Returns the items that refer to `item`.
    func sources(_ type: String, of item: Int) -> [Int] { references.sources(type, of: item) }

    /// Counts the sample sizes of each track (ISO/IEC 14496-12, section 8.7.3).
    private static func sequenceFrames(_ moov: UnsafeRawBufferPointer) -> Int {
        ISOBoxes(moov).lazy.filter { $0.type == "trak" }.prefix(64).map { track in
            let table = ["mdia", "minf", "stbl", "stsz"].reduce(track.body) { ISOBox.first($1, in: $0) }
            var cursor = ByteCursor(table)
            cursor.skip(8)
            return cursor.read(4)
        }.max() ?? 0
    }

    /// Codecs pad images to blocks of up to this side.
    private static let block = 64

    /// Where bytes are in the file.
    private struct Extent: Hashable {
        let start: UnsafeRawPointer?
        let count: Int

        init(_ bytes: UnsafeRawBufferPointer) { (start, count) = (bytes.baseAddress, bytes.count) }
    }

    /// Throws a `limit` error if a coded image that the primary one needs declares a size over `limits`, apart from its
    /// padding, and a `decoding` error if such images overlap in the file. Takes no longer than reading the file once.
    ///
    /// libheif 1.15 only checks the container's sizes, but decoders allocate memory for the size in the coded data,
    /// which an attacker controls.
    func checkCodedSizes(_ limits: Limits, task: TaskContext) throws(MediaError) {
        func check(_ size: PixelSize) throws(MediaError) {
            try task.check()
            let unpadded = PixelSize(width: max(1, size.width - Self.block), height: max(1, size.height - Self.block))
            if unpadded.pixels > limits.pixels { try limits.check(size: size) }
        }
        // Items may share their configuration or their data.
        var seen: Set<[Extent]> = []
        var unread = bytes.count
        for id in neededItems() {
            try task.check()
            guard let item = items[id] else { continue }
            for property in item.properties {
                switch property.value {
                case .av1Configuration(let body) where seen.insert([Extent(body)]).inserted:
                    try CodedImageSize.forEach(inAV1: UnsafeRawBufferPointer(rebasing: body.dropFirst(4)), check)
                case .hevcConfiguration(let body) where seen.insert([Extent(body)]).inserted:
                    try CodedImageSize.forEach(inHEVCConfiguration: body, check)
                default: continue
                }
            }
            guard item.type == "av01" || item.type == "hvc1" else { continue }
            let data = data(of: id)
            guard seen.insert(data.extents.map(Extent.init)).inserted else { continue }
            unread -= data.count
            guard unread >= 0 else { throw Self.fault("the data of its images overlap") }
            try data.withBytes { (bytes) throws(MediaError) in
                if item.type == "av01" {
                    try CodedImageSize.forEach(inAV1: bytes, check)
                } else {
                    try CodedImageSize.forEach(inHEVC: bytes, check)
                }
            }
        }
    }

    /// Returns the primary item and those that it is derived from, each with its alpha.
    private func neededItems() -> Set<Int> {
        var needed: Set<Int> = []
        var pending = [primary]
        while let item = pending.popLast() {
            guard needed.insert(item).inserted else { continue }
            pending += targets("dimg", of: item)
            pending += sources("auxl", of: item).filter { items[$0]?.purpose == .alpha }
        }
        return needed
    }
}

/// What the primary image is made of. libheif follows images that are derived from themselves until its stack or the
/// time ends, and gives other reasons for what is checked here.
extension HEIFFile {
    /// How an image is made of others.
    private struct Derivation {
        /// Steps from the coded images to it.
        var levels = 0
        /// Coded images to be decoded, each as often as it is used.
        var images = 1

        /// An overlay of rotated grids has three.
        static let maxLevels = 8
    }

    /// Returns the items that the primary image is made of, itself included.
    ///
    /// Throws a `decoding` error if the image is derived from itself or in too many steps, if a crop is invalid, or if
    /// the tiles of a grid differ in size, and a `limit` error if it is made of too many images.
    func parts() throws(MediaError) -> [Int] {
        let inputs = references.targets("dimg")
        var known: [Int: Derivation] = [:]
        _ = try derivation(of: primary, from: inputs, within: Derivation.maxLevels, &known)
        return Array(known.keys)
    }

    private func derivation(
        of item: Int, from inputs: [Int: [Int]], within levels: Int, _ known: inout [Int: Derivation]
    ) throws(MediaError) -> Derivation {
        var found = known[item] ?? Derivation()
        guard found.levels <= levels else {
            throw Self.fault("the image is derived from itself, or in more than \(Derivation.maxLevels) steps")
        }
        if known[item] != nil { return found }
        guard items[item]?.hasValidCrop ?? true else { throw Self.fault("the crop of the image is invalid") }
        if let parts = inputs[item] {
            found.images = 0
            for part in parts {
                let part = try derivation(of: part, from: inputs, within: levels - 1, &known)
                found.levels = max(found.levels, part.levels + 1)
                found.images += part.images
                guard found.images <= HEIFItem.maxCount else {
                    throw Self.fault(.limit, "the image is made of more than \(HEIFItem.maxCount) images")
                }
            }
            if items[item]?.type == "grid", Set(parts.compactMap { items[$0]?.size }).count > 1 {
                throw Self.fault("the tiles of the grid differ in size")
            }
        }
        known[item] = found
        return found
    }

    /// Throws a `decoding` error if the file ends before the data of one of `items`.
    func checkIsComplete(_ items: [Int]) throws(MediaError) {
        let isCut = items.contains { self.items[$0].map { $0.type != "iden" } ?? true && data(of: $0).isIncomplete }
        guard !isCut else { throw ErrorSite(step: .decode, format: .heif)("the file ends before the image's data") }
    }

    static let fault = ErrorSite(step: .decode, format: .heif, advice: conversion)

    private static let conversion: MediaError.Advice = "convert it to JPEG or PNG first"
}

extension HEIFItem {
    fileprivate var hasValidCrop: Bool {
        properties.allSatisfy { property in
            guard case .cleanAperture(let aperture) = property.value else { return true }
            return aperture.isValid
        }
    }
}

/// References from items to others, by type: `dimg`, `thmb`, `auxl`, `cdsc`, … (the `iref` box: ISO/IEC 14496-12, section
/// 8.11.12).
struct HEIFReferences {
    /// By type, and by the item that refers to the others.
    private var targets: [String: [Int: [Int]]] = [:]
    /// By type, and by the item that is referred to.
    private var sources: [String: [Int: [Int]]] = [:]

    /// Max number of targets of all references. Real ones are items, and few items are referred to twice.
    private static let maxTargets = 4 * HEIFItem.maxCount

    init(_ box: UnsafeRawBufferPointer) {
        guard box.count >= 4 else { return }
        var remaining = Self.maxTargets
        let idBytes = box[0] == 0 ? 2 : 4
        let boxes = ISOBoxes(UnsafeRawBufferPointer(rebasing: box.dropFirst(4)))
        for box in boxes.prefix(HEIFItem.maxCount) {
            var cursor = ByteCursor(box.body)
            let from = cursor.read(idBytes)
            let count = min(cursor.read(2), box.body.count / idBytes)
            remaining -= count
            guard remaining >= 0 else { break }
            let to = (0..<count).map { _ in cursor.read(idBytes) }
            guard !cursor.isPastEnd else { continue }
            targets[box.type, default: [:]][from, default: []] += to
            for item in Set(to) { sources[box.type, default: [:]][item, default: []].append(from) }
        }
    }

    /// The targets of all references of `type`, by the item that refers to them.
    func targets(_ type: String) -> [Int: [Int]] { targets[type] ?? [:] }

    /// Returns the items that `item` refers to.
    func targets(_ type: String, of item: Int) -> [Int] { targets[type]?[item] ?? [] }

    /// Returns the items that refer to `item`.
    func sources(_ type: String, of item: Int) -> [Int] { sources[type]?[item] ?? [] }

    /// Whether a reference of `type` is from `item`.
    func hasTargets(_ type: String, of item: Int) -> Bool { targets[type]?[item] != nil }
}
