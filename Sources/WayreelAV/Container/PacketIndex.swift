internal import CFFmpeg
internal import WayreelCore

/// A packet in a container's index.
struct PacketIndexEntry: Hashable {
    var decodingTime: Int64
    var byteCount: Int
    var isKeyFrame: Bool
    /// Whether the packet is decoded only as a reference for others and not presented.
    var isDiscarded: Bool
}

extension Demuxer {
    /// Returns whether the container has an index of all packets of a stream.
    package func hasIndex(of index: Int) -> Bool {
        // Fragmented files declare no frames, and FFmpeg's index contains only the packets read so far.
        traits.isISOMedia && stream(index).pointee.nb_frames > 0
            && avformat_index_get_entries_count(stream(index)) > 0
    }

    /// Returns all packets of a stream in decoding order; nil if the container has no index of them.
    func packetIndex(of index: Int) -> [PacketIndexEntry]? {
        guard hasIndex(of: index) else { return nil }
        return (0..<avformat_index_get_entries_count(stream(index))).compactMap { number in
            avformat_index_get_entry(stream(index), number).map { entry in
                PacketIndexEntry(
                    decodingTime: entry.pointee.timestamp, byteCount: Int(entry.pointee.size),
                    isKeyFrame: entry.pointee.flags & AVINDEX_KEYFRAME != 0,
                    isDiscarded: entry.pointee.flags & AVINDEX_DISCARD_FRAME != 0)
            }
        }
    }

    /// Returns whether an MP4 or QuickTime file ends with its last box, so that nothing was cut off.
    func endsWithBox() throws(MediaError) -> Bool {
        do throws(MediaError) { return try ISOBoxReader(file).isWhole() } catch { throw error.naming(name) }
    }
}
