/// A `moof` box: the samples of one track that the `mdat` behind it holds (ISO/IEC 14496-12, section 8.8).
struct MovieFragment {
    struct Defaults: Hashable {
        var duration = 0
        var size = 0
        var flags = 0
    }

    struct Sample: Hashable {
        /// Where its bytes lie.
        var range: Range<Int>
        /// In units of the track.
        var decodingTime: Int
        var presentationTime: Int
        var duration: Int
        var isKeyFrame: Bool
    }

    /// The `moof` box.
    let range: Range<Int>
    let samples: [Sample]

    /// The fragments of a segment, of the track that `entry` describes. Ends before the first that is damaged.
    static func list(_ bytes: [UInt8], of entry: SampleEntry) -> [MovieFragment] {
        var fragments: [MovieFragment] = []
        for box in MP4Box.list(bytes) where box.type == "moof" {
            guard let fragment = MovieFragment(box, bytes, entry) else { break }
            fragments.append(fragment)
        }
        return fragments
    }

    private init?(_ box: MP4Box, _ bytes: [UInt8], _ entry: SampleEntry) {
        range = box.range
        var samples: [Sample] = []
        for track in box.boxes(bytes) where track.type == "traf" {
            guard let header = track.first("tfhd", in: bytes) else { return nil }
            var cursor = ByteCursor(bytes, header.content)
            guard let flags = cursor.number(4), let number = cursor.number(4) else { return nil }
            guard number == entry.trackID else { continue }
            var base = box.range.lowerBound
            if flags & 1 != 0 {
                guard let place = cursor.number(8) else { return nil }
                base = place
            }
            if flags & 2 != 0 { cursor.skip(4) }
            var defaults = entry.defaults
            if flags & 8 != 0 { defaults.duration = cursor.number(4) ?? 0 }
            if flags & 0x10 != 0 { defaults.size = cursor.number(4) ?? 0 }
            if flags & 0x20 != 0 { defaults.flags = cursor.number(4) ?? 0 }
            var time = 0
            if let box = track.first("tfdt", in: bytes) {
                var cursor = ByteCursor(bytes, box.content)
                let version = cursor.number(1)
                cursor.skip(3)
                guard let start = cursor.number(version == 1 ? 8 : 4), start < 1 << 60 else { return nil }
                time = start
            }
            var place = base
            for run in track.boxes(bytes) where run.type == "trun" {
                guard Self.read(run, bytes, base, defaults, &time, &place, into: &samples) else { return nil }
            }
        }
        guard !samples.isEmpty else { return nil }
        self.samples = samples
    }

    private static func read(
        _ run: MP4Box, _ bytes: [UInt8], _ base: Int, _ defaults: Defaults, _ time: inout Int, _ place: inout Int,
        into samples: inout [Sample]
    ) -> Bool {
        var cursor = ByteCursor(bytes, run.content)
        guard let flags = cursor.number(4), let count = cursor.number(4), count <= bytes.count else { return false }
        if flags & 1 != 0 {
            guard let offset = cursor.signedWord() else { return false }
            place = base + offset
        }
        let firstFlags = flags & 4 != 0 ? cursor.number(4) : nil
        for index in 0..<count {
            var sample = defaults
            sample.flags = index == 0 ? firstFlags ?? defaults.flags : defaults.flags
            if flags & 0x100 != 0 { sample.duration = cursor.number(4) ?? -1 }
            if flags & 0x200 != 0 { sample.size = cursor.number(4) ?? -1 }
            if flags & 0x400 != 0 { sample.flags = cursor.number(4) ?? -1 }
            let offset = flags & 0x800 != 0 ? cursor.signedWord() : 0
            guard sample.duration >= 0, sample.size >= 0, sample.flags >= 0, let offset, place >= 0,
                place <= bytes.count, sample.size <= bytes.count - place
            else { return false }
            samples.append(
                Sample(
                    range: place..<place + sample.size, decodingTime: time, presentationTime: time + offset,
                    duration: sample.duration, isKeyFrame: sample.flags & 0x1_0000 == 0))
            place += sample.size
            time += sample.duration
        }
        return true
    }
}
