/// A box of ISO/IEC 14496-12: where it and its content lie in the bytes that it was found in.
struct MP4Box {
    let type: String
    /// With its header.
    let range: Range<Int>
    let content: Range<Int>

    /// The boxes that lie side by side in a part of `bytes`. Ends before the first that reaches beyond it.
    static func list(_ bytes: [UInt8], _ part: Range<Int>? = nil) -> [MP4Box] {
        var boxes: [MP4Box] = []
        let part = part ?? 0..<bytes.count
        var place = part.lowerBound
        while part.upperBound - place >= 8 {
            var cursor = ByteCursor(bytes, place..<part.upperBound)
            guard var size = cursor.number(4) else { break }
            let type = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            cursor.skip(4)
            if size == 1 {
                guard let long = cursor.number(8) else { break }
                size = long
            } else if size == 0 {
                size = part.upperBound - place
            }
            let header = cursor.position - place
            guard size >= header, size <= part.upperBound - place else { break }
            boxes.append(MP4Box(type: type, range: place..<place + size, content: place + header..<place + size))
            place += size
        }
        return boxes
    }

    func boxes(_ bytes: [UInt8], skipping count: Int = 0) -> [MP4Box] {
        content.count >= count ? Self.list(bytes, content.dropFirst(count)) : []
    }

    /// The first box at a path of types below this one.
    func first(_ path: String..., in bytes: [UInt8]) -> MP4Box? {
        path.reduce(Optional(self)) { box, type in box?.boxes(bytes).first { $0.type == type } }
    }
}
