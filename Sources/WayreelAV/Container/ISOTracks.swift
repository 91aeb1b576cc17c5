internal import WayreelCore

/// What the tracks of an MP4 or QuickTime file declare (ISO/IEC 14496-12) and FFmpeg does not tell, or misreads.
struct ISOTracks {
    struct Track {
        let id: Int
        /// Whether an edit list declares at which sample the presentation begins. One edit from the first sample on
        /// declares no delay.
        let hasEdits: Bool
        /// Seconds that are presented: those of the edit list, else those of the media. nil if both are unknown, as in
        /// fragmented files.
        let seconds: Double?
    }

    private let reader: ISOBoxReader

    /// Max bytes read of a header, an edit list or a sample entry.
    private static let maxBytes = 1 << 16
    /// Max number of sample entries of a track.
    private static let maxEntries = 64

    init(_ file: InputFile) { reader = ISOBoxReader(file) }

    private func boxes() throws(MediaError) -> (movie: ISOBoxReader.Box, tracks: [ISOBoxReader.Box])? {
        guard let movie = try reader.first(["moov"]) else { return nil }
        return (movie, try reader.boxes(in: movie.body).filter { $0.type == "trak" })
    }

    // MARK: Lengths

    func tracks() throws(MediaError) -> [Track] {
        guard let (movie, tracks) = try boxes(), let movieHeader = try reader.first(["mvhd"], in: movie.body) else {
            return []
        }
        let movieScale = try clock(movieHeader).unitsPerSecond
        var found: [Track] = []
        for track in tracks {
            guard let header = try reader.first(["tkhd"], in: track.body),
                let mediaHeader = try reader.first(["mdia", "mdhd"], in: track.body)
            else { continue }
            let edits = try reader.first(["edts", "elst"], in: track.body).map(readEdits) ?? []
            var media = try clock(mediaHeader)
            // A header may declare more than there are samples for.
            if let sampled = try sampledDuration(track) { media.duration = min(media.duration ?? sampled, sampled) }
            found.append(
                Track(
                    id: try number(in: header, offset: 12, longOffset: 20),
                    hasEdits: !edits.isEmpty && !(edits.count == 1 && edits[0].mediaTime == 0),
                    seconds: Self.seconds(edits, movieScale, of: media)))
        }
        return found
    }

    private struct Clock {
        let unitsPerSecond: Int
        /// In units; nil if unknown, which is all ones, or 0 in fragmented files.
        var duration: Int?
    }

    private struct Edit {
        /// In units of the movie; nil for the rest of the media, or if unknown.
        let duration: Int?
        /// The first time of the media that is presented; nil for an empty edit.
        let mediaTime: Int?
    }

    private static func seconds(_ edits: [Edit], _ movieScale: Int, of media: Clock) -> Double? {
        let shown = edits.filter { $0.mediaTime != nil }
        let scale = Double(media.unitsPerSecond)
        let whole = media.duration.map { Double($0) / scale }
        guard let first = shown.first?.mediaTime, scale > 0, movieScale > 0 else { return scale > 0 ? whole : nil }
        // One edit cannot present more than the media from its time on.
        let rest = shown.count == 1 ? whole.map { max(0, $0 - Double(first) / scale) } : nil
        let durations = shown.compactMap(\.duration)
        guard durations.count == shown.count else { return rest }
        let presented = durations.reduce(0) { $0 + Double($1) } / Double(movieScale)
        return min(presented, rest ?? presented)
    }

    /// Reads a number of four bytes whose offset in the content depends on the version of the box.
    private func number(in box: ISOBoxReader.Box, offset: Int, longOffset: Int) throws(MediaError) -> Int {
        try reader.content(box, max: Self.maxBytes).withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes)
            cursor.skip(bytes.first == 1 ? longOffset : offset)
            return cursor.read(4)
        }
    }

    /// Reads a movie or media header.
    private func clock(_ header: ISOBoxReader.Box) throws(MediaError) -> Clock {
        try reader.content(header, max: Self.maxBytes).withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes)
            let isLong = bytes.first == 1
            cursor.skip(isLong ? 20 : 12)
            let scale = cursor.read(4)
            let duration = Self.duration(&cursor, isLong: isLong)
            return Clock(unitsPerSecond: scale, duration: duration)
        }
    }

    /// Max bytes read of the durations of samples; longer tables have one entry for almost every sample.
    private static let maxTableBytes = 1 << 20

    /// Returns the sum of the durations of a track's samples (`stts`), in units of the media; nil if there are none, as
    /// in fragmented files, or too many to be summed up.
    private func sampledDuration(_ track: ISOBoxReader.Box) throws(MediaError) -> Int? {
        let path = ["mdia", "minf", "stbl", "stts"]
        guard let table = try reader.first(path, in: track.body), table.body.count <= Self.maxTableBytes else {
            return nil
        }
        return try reader.content(table, max: Self.maxTableBytes).withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes)
            cursor.skip(4)
            var sum = 0
            for _ in 0..<cursor.read(4) {
                let (entry, isLong) = cursor.read(4).multipliedReportingOverflow(by: cursor.read(4))
                let (next, isOver) = sum.addingReportingOverflow(entry)
                guard !cursor.isPastEnd, !isLong, !isOver else { return nil }
                sum = next
            }
            return sum > 0 ? sum : nil
        }
    }

    private static func duration(_ cursor: inout ByteCursor, isLong: Bool) -> Int? {
        let duration = cursor.read(isLong ? 8 : 4)
        return duration == 0 || duration == (isLong ? Int.max : 0xFFFF_FFFF) ? nil : duration
    }

    private func readEdits(_ list: ISOBoxReader.Box) throws(MediaError) -> [Edit] {
        try reader.content(list, max: Self.maxBytes).withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes)
            let isLong = cursor.read(4) >> 24 == 1
            var edits: [Edit] = []
            for _ in 0..<cursor.read(4) {
                let duration = Self.duration(&cursor, isLong: isLong)
                // -1, which is all ones, marks an empty edit.
                let time = cursor.read(isLong ? 8 : 4)
                cursor.skip(4)
                guard !cursor.isPastEnd else { break }
                edits.append(Edit(duration: duration, mediaTime: time >= (isLong ? .max : 1 << 31) ? nil : time))
            }
            return edits
        }
    }

    // MARK: Sample entries

    /// Returns the contents of the sample descriptions (`stsd`), by track ID.
    func descriptions() throws(MediaError) -> [Int: [UInt8]] {
        var found: [Int: [UInt8]] = [:]
        for track in try boxes()?.tracks ?? [] {
            guard let description = try reader.first(["mdia", "minf", "stbl", "stsd"], in: track.body),
                let header = try reader.first(["tkhd"], in: track.body)
            else { continue }
            found[try number(in: header, offset: 12, longOffset: 20)] = try reader.content(
                description, max: Self.maxBytes)
        }
        return found
    }

    /// The sample entries that ``replacements()`` changes.
    static let replacedEntries: Set<String> = ["dav1", "fpcm", "ipcm", "lpcm", "sowt", "twos"]

    /// Returns the changes after which every version of FFmpeg reads the sample entries: AV1 with Dolby Vision as AV1,
    /// and PCM (ISO/IEC 23003-5) as QuickTime describes it. FFmpeg 5 does not know the former, and takes all PCM for
    /// little-endian integers of 16 bits.
    ///
    /// Throws a `decoding` error if the description of PCM is missing or contradicts itself, an `unsupported` error for
    /// samples in the lower bits of a larger container.
    func replacements() throws(MediaError) -> [ByteReplacement] {
        var found: [ByteReplacement] = []
        for track in try boxes()?.tracks ?? [] {
            guard let table = try reader.first(["mdia", "minf", "stbl"], in: track.body),
                let description = try reader.first(["stsd"], in: table.body), description.body.count > 8
            else { continue }
            let entries = description.body.dropFirst(8)
            for entry in try reader.boxes(in: entries, max: Self.maxEntries) {
                switch entry.type {
                case "dav1": found.append(ByteReplacement(typeOf: entry, "av01"))
                case "fpcm", "ipcm": found += try pcm(entry, try reader.first(["stsz"], in: table.body))
                case "lpcm": found += try quickTimePCM(entry)
                case "sowt", "twos": try checkSize(of: entry, try reader.first(["stsz"], in: table.body))
                default: break
                }
            }
        }
        return found
    }

    /// The offset of the boxes inside the content of an AudioSampleEntry.
    private static let audioEntryLength = 28

    private func pcm(
        _ entry: ISOBoxReader.Box, _ sizes: ISOBoxReader.Box?
    ) throws(MediaError) -> [ByteReplacement] {
        let inner = entry.body.dropFirst(Self.audioEntryLength)
        guard let box = try reader.boxes(in: inner, until: "pcmC").last, box.type == "pcmC" else {
            throw Self.contradiction("the layout of its PCM samples is missing (pcmC)")
        }
        let configuration = try reader.content(box, max: 6)
        let channelCount = try number(in: entry, offset: 14, longOffset: 14) & 0xFFFF
        guard configuration.count == 6 else { throw Self.contradiction("the layout of its PCM samples is cut off") }
        let (isLittleEndian, bits) = (configuration[4] & 1 == 1, Int(configuration[5]))
        let isFloat = entry.type == "fpcm"
        guard (isFloat ? [32, 64] : [8, 16, 24, 32]).contains(bits) else {
            throw Self.contradiction("its PCM samples are said to have \(bits) bits")
        }
        let size = try sizes.map { (box) throws(MediaError) in try number(in: box, offset: 4, longOffset: 4) } ?? 0
        guard size == 0 || channelCount > 0 && size.isMultiple(of: channelCount * bits / 8) else {
            throw Self.contradiction(
                "its PCM is said to have \(channelCount) channels of \(bits) bits, but \(size) bytes for all of them")
        }
        // The number of bits, which version 0 of the entry leaves at 16.
        let bitCount = ByteReplacement(offset: entry.body.lowerBound + 18, bytes: [0, UInt8(bits)])
        guard isFloat else { return [ByteReplacement(typeOf: entry, isLittleEndian ? "sowt" : "twos"), bitCount] }
        let changes = [ByteReplacement(typeOf: entry, bits == 32 ? "fl32" : "fl64"), bitCount]
        let endian = [
            ByteReplacement(typeOf: box, "enda"), ByteReplacement(offset: box.body.lowerBound, bytes: [0, 1]),
        ]
        return isLittleEndian ? changes + endian : changes
    }

    /// The flags of PCM in a version 2 sound description (QuickTime File Format Specification, "LPCM flag values").
    private enum Flag {
        static let (float, packed, alignedHigh) = (1, 8, 16)
    }

    /// Corrects samples whose container is larger than their bits: FFmpeg takes the bits for the size.
    private func quickTimePCM(_ entry: ISOBoxReader.Box) throws(MediaError) -> [ByteReplacement] {
        let content = try reader.content(entry, max: 64)
        // Version 2 has the numbers at the end of its fixed part.
        guard content.count == 64, content[9] == 2 else { return [] }
        let number = { (offset: Int) in content.withUnsafeBytes { Int($0.bigEndian32(at: offset)) } }
        let (channelCount, bits, flags, packetBytes) = (number(40), number(48), number(52), number(56))
        guard channelCount > 0, (1...64).contains(bits), packetBytes > 0, number(60) == 1 else { return [] }
        let (bytes, rest) = packetBytes.quotientAndRemainder(dividingBy: channelCount)
        let isLarger = 8 * bytes > bits
        guard rest == 0, 8 * bytes >= bits, !isLarger || flags & (Flag.float | Flag.packed) == 0 else {
            throw Self.contradiction(
                "its PCM is said to have \(channelCount) channels of \(bits) bits, but \(packetBytes) bytes for all of them"
            )
        }
        guard isLarger else { return [] }
        guard flags & Flag.alignedHigh != 0 else {
            throw MediaError(
                .unsupported, step: .read,
                reason: "its samples of \(bits) bits are the lower bits of \(bytes) bytes, which is not supported",
                advice: "convert the file to FLAC or WAV")
        }
        return [ByteReplacement(offset: entry.body.lowerBound + 48, bytes: [0, 0, 0, UInt8(8 * bytes)])]
    }

    /// Throws if the size of all samples at a time is neither a part nor a multiple of what the entry describes. QuickTime
    /// itself writes 1.
    private func checkSize(of entry: ISOBoxReader.Box, _ sizes: ISOBoxReader.Box?) throws(MediaError) {
        let content = try reader.content(entry, max: Self.audioEntryLength)
        guard content.count == Self.audioEntryLength, content[9] == 0, let sizes else { return }
        let number = { (offset: Int) in content.withUnsafeBytes { Int($0.bigEndian16(at: offset)) } }
        let (channelCount, bits) = (number(16), number(18))
        let (frame, size) = (channelCount * bits / 8, try self.number(in: sizes, offset: 4, longOffset: 4))
        guard [8, 16, 24, 32].contains(bits), frame > 0, size > 0 else { return }
        guard frame.isMultiple(of: size) || size.isMultiple(of: frame) else {
            throw Self.contradiction(
                "its PCM is said to have \(channelCount) channels of \(bits) bits, but \(size) bytes for all of them")
        }
    }

    private static func contradiction(_ reason: String) -> MediaError {
        MediaError(.decoding, step: .read, reason: reason, advice: "convert the file again, to WAV or FLAC")
    }
}

extension ByteReplacement {
    fileprivate init(typeOf box: ISOBoxReader.Box, _ type: String) {
        self.init(offset: box.body.lowerBound - 4, bytes: Array(type.utf8))
    }
}

/// Reads the boxes of an MP4 or QuickTime file (ISO/IEC 14496-12) one by one and skips their content.
struct ISOBoxReader {
    struct Box {
        let type: String
        /// The offsets of its content.
        let body: Range<Int>
        /// Whether the box declares more content than the file has.
        let isTruncated: Bool
    }

    private let file: InputFile
    private let size: Int

    /// Max number of boxes that are read on one level.
    private static let maxBoxes = 1 << 20

    init(_ file: InputFile) {
        self.file = file
        size = file.size ?? 0
    }

    /// Returns whether the last box ends at the end of the file.
    func isWhole() throws(MediaError) -> Bool {
        guard file.size != nil else { return false }
        var offset = 0
        for _ in 0..<Self.maxBoxes where offset < size {
            guard let box = try box(at: offset, end: size), !box.isTruncated else { return false }
            offset = box.body.upperBound
        }
        return offset == size
    }

    /// Returns the first box at `path`, type by type, from the top level.
    func first(_ path: [String]) throws(MediaError) -> Box? { try first(path, in: 0..<size) }

    /// Returns the first box at `path`, type by type, inside `range`.
    func first(_ path: [String], in range: Range<Int>) throws(MediaError) -> Box? {
        var (range, found): (Range<Int>, Box?) = (range, nil)
        for type in path {
            guard let child = try boxes(in: range, until: type).last, child.type == type else { return nil }
            (range, found) = (child.body, child)
        }
        return found
    }

    /// Returns the boxes inside `range`, up to the first broken one or the first of type `last`.
    func boxes(in range: Range<Int>, until last: String? = nil, max: Int = 4096) throws(MediaError) -> [Box] {
        var boxes: [Box] = []
        var offset = range.lowerBound
        while boxes.count < max, offset < range.upperBound, let box = try box(at: offset, end: range.upperBound) {
            boxes.append(box)
            if box.type == last { break }
            offset = box.body.upperBound
        }
        return boxes
    }

    /// Returns the content of a box, up to `max` bytes.
    func content(_ box: Box, max: Int) throws(MediaError) -> [UInt8] {
        try file.bytes(at: box.body.lowerBound, count: min(box.body.count, max))
    }

    private func box(at offset: Int, end: Int) throws(MediaError) -> Box? {
        let room = end - offset
        let bytes = try file.bytes(at: offset, count: min(ISOBoxHeader.maxCount, room))
        guard let header = bytes.withUnsafeBytes({ ISOBoxHeader($0, room: room) }) else { return nil }
        return Box(
            type: header.type, body: offset + header.count..<offset + header.boxCount,
            isTruncated: header.isTruncated)
    }
}
