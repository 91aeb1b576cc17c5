internal import WayreelCore

extension HEIFFile {
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
        var unread = byteCount
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
