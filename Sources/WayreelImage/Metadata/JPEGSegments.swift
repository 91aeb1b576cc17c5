package import WayreelCore

/// What the segments of a JPEG say in front of its first scan (ITU-T T.81, annex B), read without decoding anything.
///
/// Damage ends the walk; what was found until then stands.
package struct JPEGSegments: Sendable {
    /// The EXIF block, from its TIFF header on.
    package private(set) var exif: [UInt8]?
    /// The XMP packet; the first, where it was split.
    package private(set) var xmp: [UInt8]?
    /// Whether more XMP follows in segments of its own.
    package private(set) var hasExtendedXMP = false
    /// The IPTC-IIM records among Photoshop's resources.
    package private(set) var iptc: IPTCBlock?
    /// The ICC profile, put together from its chunks (ICC.1:2022, annex B.4).
    package private(set) var profile: [UInt8]?
    /// Whether chunks of a profile are there, but not each exactly once.
    package private(set) var profileIsDamaged = false
    /// Of the Adobe segment: 0 for RGB or CMYK, 1 for YCbCr, 2 for YCCK.
    package private(set) var adobeTransform: Int?
    package private(set) var hasGainMap = false
    package private(set) var hasThumbnail = false
    package private(set) var frame: Frame?
    /// Blocks between two restart markers; 0 where there are none.
    package private(set) var restartInterval = 0

    /// The frame header.
    package struct Frame: Hashable, Sendable {
        package enum Process: String, Sendable {
            case baseline, extended, progressive, lossless
        }

        package struct Component: Hashable, Sendable {
            package var id: Int
            /// Sampling factors across and down.
            package var horizontal: Int
            package var vertical: Int
        }

        package var process: Process
        /// Arithmetic coding instead of Huffman's.
        package var isArithmetic: Bool
        /// A frame that refines another (annex J).
        package var isDifferential: Bool
        /// Bits of a sample.
        package var precision: Int
        /// The height is 0 where it is only told after the first scan.
        package var size: PixelSize
        package var components: [Component]
    }

    private enum Marker {
        static let startOfScan: UInt8 = 0xDA
        static let endOfImage: UInt8 = 0xD9
        static let restartInterval: UInt8 = 0xDD
        static let frames: ClosedRange<UInt8> = 0xC0...0xCF
        /// Tables and an extension that lie among the frame headers' codes.
        static let notFrames: Set<UInt8> = [0xC4, 0xC8, 0xCC]
        /// No length follows: restarts, the start of an image, TEM.
        static let alone = Set<UInt8>(0xD0...0xD8).union([0x01])
    }

    private struct ProfileChunk {
        let number: UInt8
        let count: UInt8
        let data: ArraySlice<UInt8>
    }

    private var chunks: [ProfileChunk] = []
    /// Photoshop's resources, which may go on from one segment to the next.
    private var resources: [UInt8] = []

    package init(_ bytes: UnsafeRawBufferPointer) {
        self.init(bytes, lookingBeyond: true)
    }

    /// `lookingBeyond` the first picture, into those that a multi-picture file has after it.
    private init(_ bytes: UnsafeRawBufferPointer, lookingBeyond: Bool) {
        guard bytes.matches([0xFF, 0xD8], at: 0) else { return }
        var offset = 2
        var looksBeyond = lookingBeyond
        while let marker = Self.marker(in: bytes, at: &offset) {
            if marker == Marker.startOfScan || marker == Marker.endOfImage { break }
            if Marker.alone.contains(marker) { continue }
            guard offset + 2 <= bytes.count else { break }
            let length = Int(bytes.bigEndian16(at: offset))
            guard length >= 2, offset + length <= bytes.count else { break }
            let data = UnsafeRawBufferPointer(rebasing: bytes[offset + 2..<offset + length])
            read(marker, data)
            if looksBeyond, marker == 0xE2, data.matches("MPF\0".utf8, at: 0) {
                // A second index would be against the standard, and a thousand of them a way to waste time.
                looksBeyond = false
                hasGainMap =
                    hasGainMap
                    || Self.hasGainMap(amongPicturesOf: bytes, index: offset + 6, indexBytes: data.dropFirst(4))
            }
            offset += length
        }
        putProfileTogether()
        iptc = resources.withUnsafeBytes { IPTCBlock(PhotoshopResources($0)) }
        resources = []
    }

    /// The next marker's code, with `offset` moved past it. Stray bytes in front of it are passed over, as libjpeg does.
    private static func marker(in bytes: UnsafeRawBufferPointer, at offset: inout Int) -> UInt8? {
        while offset + 1 < bytes.count {
            let (first, second) = (bytes[offset], bytes[offset + 1])
            if first == 0xFF, second != 0, second != 0xFF {
                offset += 2
                return second
            }
            offset += 1
        }
        return nil
    }

    private mutating func read(_ marker: UInt8, _ data: UnsafeRawBufferPointer) {
        switch marker {
        case 0xE0: hasThumbnail = hasThumbnail || Self.hasThumbnail(inJFIF: data)
        case 0xE1: readMetadata(data)
        case 0xE2: readProfileChunk(data)
        case 0xED where data.matches(PhotoshopResources.segmentMark, at: 0):
            resources += data.dropFirst(PhotoshopResources.segmentMark.count)
        case 0xEE where data.count >= 12 && data.matches("Adobe".utf8, at: 0): adobeTransform = Int(data[11])
        case Marker.restartInterval where data.count >= 2: restartInterval = Int(data.bigEndian16(at: 0))
        case Marker.frames where !Marker.notFrames.contains(marker) && frame == nil: frame = Frame(marker, data)
        default: break
        }
    }

    /// JFIF with a thumbnail of at least one pixel (version 1.02), or its extension.
    private static func hasThumbnail(inJFIF data: UnsafeRawBufferPointer) -> Bool {
        data.matches("JFXX\0".utf8, at: 0)
            || data.matches("JFIF\0".utf8, at: 0) && data.count >= 14 && data[12] > 0 && data[13] > 0
    }

    private mutating func readMetadata(_ data: UnsafeRawBufferPointer) {
        hasExtendedXMP = hasExtendedXMP || data.matches("http://ns.adobe.com/xmp/extension/\0".utf8, at: 0)
        if exif == nil, data.matches("Exif\0".utf8, at: 0), data.count > 6 {
            let block = Array(data.dropFirst(6))
            exif = block
            hasThumbnail = hasThumbnail || EXIFBlock(block)?.hasThumbnail == true
        }
        let xmpMark = "http://ns.adobe.com/xap/1.0/\0".utf8
        if xmp == nil, data.matches(xmpMark, at: 0), data.count > xmpMark.count {
            let packet = Array(data.dropFirst(xmpMark.count))
            xmp = packet
            hasGainMap = hasGainMap || XMPPacket(packet)?.hasGainMap == true
        }
    }

    private mutating func readProfileChunk(_ data: UnsafeRawBufferPointer) {
        let isGainMap = data.matches("urn:iso:std:iso:ts:21496:-1\0".utf8, at: 0)
        hasGainMap = hasGainMap || isGainMap
        guard data.matches("ICC_PROFILE\0".utf8, at: 0), data.count >= 14 else { return }
        chunks.append(ProfileChunk(number: data[12], count: data[13], data: Array(data)[14...]))
    }

    private mutating func putProfileTogether() {
        guard let count = chunks.first?.count else { return }
        let ordered = chunks.sorted { $0.number < $1.number }
        let isComplete =
            chunks.count == Int(count) && ordered.allSatisfy { $0.count == count }
            && zip(ordered, 1...255).allSatisfy { $0.number == $1 }
        if isComplete {
            profile = ordered.flatMap(\.data)
        } else {
            profileIsDamaged = true
        }
        chunks = []
    }
}

extension JPEGSegments {
    /// How far into a picture that follows its segments are looked for.
    private static let reach = 1 << 20

    /// Whether one of the pictures that follow the first is its gain map, as its own segments say: those of Apple's phones
    /// are told nowhere else (CIPA DC-007, Multi-Picture Format, section 5.2).
    private static func hasGainMap(
        amongPicturesOf bytes: UnsafeRawBufferPointer, index: Int, indexBytes: UnsafeRawBufferPointer.SubSequence
    ) -> Bool {
        guard let block = TIFFBlock(Array(indexBytes)), let entries = block.first[0xB002] else { return false }
        // Sixteen bytes to a picture: attributes, length, place relative to the index; 0 is the first picture.
        let places = stride(from: 0, to: entries.value.count - 15, by: 16).prefix(16).map { entry in
            block.unsigned32(at: entries.value.lowerBound + entry + 8)
        }
        return places.contains { place in
            let (start, overflow) = index.addingReportingOverflow(place)
            guard place > 0, !overflow, start < bytes.count else { return false }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + Self.reach)])
            return JPEGSegments(rest, lookingBeyond: false).hasGainMap
        }
    }
}

extension JPEGSegments.Frame {
    /// By the low bits of the marker's code.
    private static let processes: [Process] = [.baseline, .extended, .progressive, .lossless]

    /// nil where the header is cut short or makes no sense.
    fileprivate init?(_ marker: UInt8, _ data: UnsafeRawBufferPointer) {
        guard data.count >= 6, data.count >= 6 + 3 * Int(data[5]), data[5] > 0 else { return nil }
        process = Self.processes[Int(marker & 3)]
        isDifferential = marker & 4 != 0
        isArithmetic = marker & 8 != 0
        precision = Int(data[0])
        size = PixelSize(width: Int(data.bigEndian16(at: 3)), height: Int(data.bigEndian16(at: 1)))
        components = (0..<Int(data[5])).map { index in
            let place = 6 + 3 * index
            return Component(
                id: Int(data[place]), horizontal: Int(data[place + 1] >> 4), vertical: Int(data[place + 1] & 15))
        }
    }
}

extension PictureHeader {
    /// Takes over what the segments of a JPEG say.
    mutating func take(_ segments: JPEGSegments) {
        exif = segments.exif
        xmp = segments.xmp
        hasExtendedXMP = segments.hasExtendedXMP
        iptc = segments.iptc
        profile = segments.profile
        profileIsDamaged = segments.profileIsDamaged
        hasGainMap = segments.hasGainMap
        hasThumbnail = segments.hasThumbnail
    }
}
