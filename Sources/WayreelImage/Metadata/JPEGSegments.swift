package import WayreelCore

/// Metadata in the segments of a JPEG before its first scan (ITU-T T.81, annex B), read without decoding.
///
/// Parsing stops at damage; earlier segments are kept.
package struct JPEGSegments: Sendable {
    /// The EXIF block, from its TIFF header on.
    package private(set) var exif: [UInt8]?
    /// The XMP packet; the first one if it is split.
    package private(set) var xmp: [UInt8]?
    /// Whether extended XMP follows in further segments.
    package private(set) var hasExtendedXMP = false
    /// The IPTC-IIM records among Photoshop's resources.
    package private(set) var iptc: IPTCBlock?
    /// The ICC profile, assembled from its chunks (ICC.1:2022, annex B.4).
    package private(set) var profile: [UInt8]?
    /// Whether chunks of a profile are missing or repeated.
    package private(set) var profileIsDamaged = false
    /// Colour transform of the Adobe segment: 0 for RGB or CMYK, 1 for YCbCr, 2 for YCCK.
    package private(set) var adobeTransform: Int?
    package private(set) var hasGainMap = false
    package private(set) var hasThumbnail = false
    package private(set) var frame: Frame?
    /// Blocks between restart markers; 0 if there are none.
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
        /// Arithmetic instead of Huffman coding.
        package var isArithmetic: Bool
        /// Whether it refines another frame (annex J).
        package var isDifferential: Bool
        /// Bits per sample.
        package var precision: Int
        /// The height is 0 if it is declared after the first scan.
        package var size: PixelSize
        package var components: [Component]
    }

    private enum Marker {
        static let startOfScan: UInt8 = 0xDA
        static let endOfImage: UInt8 = 0xD9
        static let restartInterval: UInt8 = 0xDD
        static let frames: ClosedRange<UInt8> = 0xC0...0xCF
        /// Tables and an extension within the range of frame header codes.
        static let notFrames: Set<UInt8> = [0xC4, 0xC8, 0xCC]
        /// Markers without length: restarts, start of image, TEM.
        static let alone = Set<UInt8>(0xD0...0xD8).union([0x01])
    }

    private struct ProfileChunk {
        let number: UInt8
        let count: UInt8
        let data: ArraySlice<UInt8>
    }

    private var chunks: [ProfileChunk] = []
    /// Photoshop resources, which may continue across segments.
    private var resources: [UInt8] = []

    /// `lookingBeyond` determines whether the other images of a multi-image file are also parsed.
    package init(_ bytes: UnsafeRawBufferPointer, lookingBeyond: Bool = true) {
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
                // The standard allows one index; parsing a thousand of them would be slow.
                looksBeyond = false
                hasGainMap =
                    hasGainMap
                    || Self.hasGainMap(amongImagesOf: bytes, index: offset + 6, indexBytes: data.dropFirst(4))
            }
            offset += length
        }
        putProfileTogether()
        iptc = resources.withUnsafeBytes { IPTCBlock(PhotoshopResources($0)) }
        resources = []
    }

    /// Returns the next marker code; moves `offset` past it. Skips stray bytes like libjpeg.
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

    /// JFIF with a thumbnail (version 1.02) or its extension.
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

    /// Max distance into a following image to search for segments.
    private static let maxDistance = 1 << 20

    /// Returns whether one of the following images is a gain map by its own segments, which only Apple's phones rely on
    /// (CIPA DC-007, Multi-Image Format, section 5.2).
    private static func hasGainMap(
        amongImagesOf bytes: UnsafeRawBufferPointer, index: Int, indexBytes: UnsafeRawBufferPointer.SubSequence
    ) -> Bool {
        guard let block = TIFFBlock(Array(indexBytes)), let entries = block.first[0xB002] else { return false }
        // Sixteen bytes per image: attributes, length, offset relative to the index; 0 is the first image.
        let offsets = stride(from: 0, to: entries.value.count - 15, by: 16).prefix(16).map { entry in
            block.unsigned32(at: entries.value.lowerBound + entry + 8)
        }
        return offsets.contains { offset in
            let (start, overflow) = index.addingReportingOverflow(offset)
            guard offset > 0, !overflow, start < bytes.count else { return false }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<min(bytes.count, start + Self.maxDistance)])
            return JPEGSegments(rest, lookingBeyond: false).hasGainMap
        }
    }
}

extension JPEGSegments.Frame {
    /// Processes by the low bits of the marker's code.
    private static let processes: [Process] = [.baseline, .extended, .progressive, .lossless]

    /// Returns nil for a truncated or invalid header.
    fileprivate init?(_ marker: UInt8, _ data: UnsafeRawBufferPointer) {
        guard data.count >= 6, data.count >= 6 + 3 * Int(data[5]), data[5] > 0 else { return nil }
        process = Self.processes[Int(marker & 3)]
        isDifferential = marker & 4 != 0
        isArithmetic = marker & 8 != 0
        precision = Int(data[0])
        size = PixelSize(width: Int(data.bigEndian16(at: 3)), height: Int(data.bigEndian16(at: 1)))
        components = (0..<Int(data[5])).map { index in
            let offset = 6 + 3 * index
            return Component(
                id: Int(data[offset]), horizontal: Int(data[offset + 1] >> 4), vertical: Int(data[offset + 1] & 15))
        }
    }
}

extension ImageHeader {
    /// Adds the metadata of a JPEG's segments.
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
