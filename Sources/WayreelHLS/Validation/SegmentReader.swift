internal import WayreelAV
internal import WayreelCore

/// Reads and decrypts segments with their init segments.
struct SegmentReader {
    let folder: HLSFolder
    /// The key given by the caller, for playlists whose key is elsewhere.
    let givenKey: [UInt8]?
    let task: TaskContext
    private var initSegments: [InitSegmentRange: [UInt8]] = [:]
    private var keys: [String: [UInt8]] = [:]

    private struct InitSegmentRange: Hashable {
        var path: String
        var range: ByteRange?
    }

    init(_ folder: HLSFolder, key: [UInt8]?, task: TaskContext) {
        self.folder = folder
        givenKey = key
        self.task = task
    }

    /// Returns the content of a segment of the playlist `base`, and the size of its file or byte range.
    /// `decodingThreads`: the number of threads that decode it; nil: it is not decoded.
    mutating func read(
        _ segment: MediaPlaylist.Segment, number: Int, of base: String, decodingThreads: Int?
    ) throws(HLSFolder.Refusal) -> (content: SegmentContent, size: Int) {
        let (path, bytes, size) = try load(segment, number, of: base)
        var initSegment: [UInt8]?
        if let map = segment.initSegment { initSegment = try read(map, number: number, of: base) }
        if initSegment == nil, SegmentFormat.needsInitSegment(bytes) {
            throw HLSFolder.Refusal(rule: .initSegment, reason: "there is no EXT-X-MAP in front of fragmented MP4")
        }
        do throws(MediaError) {
            let content = try SegmentContent.read(
                bytes, initSegment: initSegment, name: path, decodingThreads: decodingThreads, task: task)
            return (content, size)
        } catch {
            guard error.kind != .cancelled else {
                throw HLSFolder.Refusal(rule: .missingFile, reason: "\(path): \(error.reason)")
            }
            // With a wrong key, one of 256 segments still has valid padding at its end.
            throw segment.key == nil
                ? HLSFolder.Refusal(rule: .damagedSegment, reason: "\(path): \(error.reason)")
                : HLSFolder.Refusal(rule: .encryption, reason: "\(path), decrypted by its key: \(error.reason)")
        }
    }

    /// Returns the decrypted bytes of a segment of the playlist `base`.
    mutating func bytes(
        of segment: MediaPlaylist.Segment, number: Int, in base: String
    ) throws(HLSFolder.Refusal) -> [UInt8] {
        try load(segment, number, of: base).bytes
    }

    private mutating func load(
        _ segment: MediaPlaylist.Segment, _ number: Int, of base: String
    ) throws(HLSFolder.Refusal) -> (path: String, bytes: [UInt8], size: Int) {
        let path = try folder.resolve(segment.uri, from: base)
        let stored = try folder.read(path, segment.range)
        return (path, try decrypted(stored, segment.key, number, of: base, path), stored.count)
    }

    private mutating func read(
        _ map: MediaPlaylist.InitSegment, number: Int, of base: String
    ) throws(HLSFolder.Refusal) -> [UInt8] {
        let location = InitSegmentRange(path: try folder.resolve(map.uri, from: base), range: map.range)
        if let known = initSegments[location] { return known }
        let initSegment = try decrypted(
            try folder.read(location.path, map.range), map.key, number, of: base, location.path)
        guard !SampleEntry.list(initSegment).isEmpty else {
            throw HLSFolder.Refusal(rule: .initSegment, reason: "\(location.path) contains no track header")
        }
        initSegments[location] = initSegment
        return initSegment
    }

    private mutating func decrypted(
        _ bytes: [UInt8], _ key: MediaPlaylist.Key?, _ number: Int, of base: String, _ path: String
    ) throws(HLSFolder.Refusal) -> [UInt8] {
        guard let key else { return bytes }
        guard key.method == "AES-128" else {
            throw HLSFolder.Refusal(
                rule: .encryption, reason: "\(path) is encrypted with \(key.method); its content is not checked")
        }
        let secret = try secret(key, of: base)
        var plain: [UInt8]?
        do throws(MediaError) {
            plain = try AES128(key: secret, decrypts: true).decrypt(bytes, iv: key.start(ofSegment: number))
        } catch { throw HLSFolder.Refusal(rule: .encryption, reason: error.reason) }
        guard let plain else {
            throw HLSFolder.Refusal(
                rule: .encryption, reason: "\(path) cannot be decrypted by the key and the IV of the playlist")
        }
        return plain
    }

    private mutating func secret(_ key: MediaPlaylist.Key, of base: String) throws(HLSFolder.Refusal) -> [UInt8] {
        if let givenKey { return givenKey }
        let path: String
        do throws(HLSFolder.Refusal) { path = try folder.resolve(key.uri, from: base) } catch {
            throw HLSFolder.Refusal(
                rule: .encryption,
                reason: "the key is at '\(key.uri)', which was not opened; give it to check the segments")
        }
        if let known = keys[path] { return known }
        let secret = try folder.read(path)
        guard secret.count == AES128.blockSize else {
            throw HLSFolder.Refusal(rule: .encryption, reason: "\(path) has \(secret.count) bytes; a key has 16")
        }
        keys[path] = secret
        return secret
    }

    /// Returns the path of a playlist's key if it is in the folder.
    func exposes(_ key: MediaPlaylist.Key, of base: String) -> String? {
        guard let path = try? folder.resolve(key.uri, from: base), (try? folder.read(path)) != nil else {
            return nil
        }
        return path
    }
}
