internal import WayreelCore

/// The files of a package of an older version, which has no record of its files: those that its playlists refer to.
enum UnrecordedPackage {
    /// Returns the names in the folder at `path`; empty if it is not a package.
    static func names(in path: String) -> Set<String> {
        guard let folder = try? HLSFolder(path), let lines = lines(of: HLSNames.master, in: folder), lines.isMaster
        else { return [] }
        let master = MasterPlaylist.read(lines).playlist
        var names: Set<String> = [HLSNames.master]
        let add = { (uri: String, base: String) -> String? in
            guard let name = try? folder.resolve(uri, from: base) else { return nil }
            return names.insert(name).inserted ? name : nil
        }
        if let chapters = master.chapters { _ = add(chapters, HLSNames.master) }
        let playlists = (master.variants + master.iFrameVariants).map(\.uri) + master.renditions.compactMap(\.uri)
        for uri in playlists {
            guard let name = add(uri, HLSNames.master), let text = self.lines(of: name, in: folder) else { continue }
            for segment in MediaPlaylist.read(text).playlist.segments {
                for uri in [segment.uri, segment.initSegment?.uri, segment.key?.uri].compactMap(\.self) {
                    _ = add(uri, name)
                }
                // The playlists may refer to a copy of the key elsewhere.
                if segment.key != nil { names.insert(HLSNames.key) }
            }
        }
        return names.union(previewNames(in: folder))
    }

    private static func lines(of name: String, in folder: HLSFolder) -> PlaylistLines? {
        (try? folder.read(name)).flatMap { String(validating: $0, as: UTF8.self) }.map { PlaylistLines($0) }
    }

    /// Returns the cues of the preview, which no playlist refers to, and their sheets.
    private static func previewNames(in folder: HLSFolder) -> Set<String> {
        let name = "\(HLSNames.preview)/\(HLSNames.cues)"
        guard let bytes = try? folder.read(name), let cues = PreviewCue.list(String(decoding: bytes, as: UTF8.self))
        else { return [] }
        return Set([name] + Set(cues.map(\.sheet)).compactMap { try? folder.resolve($0, from: name) })
    }
}
