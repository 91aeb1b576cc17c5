internal import WayreelAV
internal import WayreelCore

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
                    throw MediaError(
                        .limit, step: "decode",
                        reason: "HEIF: the image is made of more than \(HEIFItem.maxCount) images",
                        advice: Self.conversion)
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
        guard !isCut else {
            throw MediaError(.decoding, step: "decode", reason: "HEIF: the file ends before the image's data")
        }
    }

    static func fault(_ reason: String) -> MediaError {
        MediaError(.decoding, step: "decode", reason: "HEIF: \(reason)", advice: conversion)
    }

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
