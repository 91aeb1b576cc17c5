internal import FoundationEssentials
internal import WayreelAV
internal import WayreelCore
internal import WayreelTasks

/// The key of a task: the SHA-256 of what its outputs depend on.
enum TaskKey {
    /// `work`: with the SHA-256 of its input's content as its input, and the names of its outputs. `files`: the SHA-256 of the content of
    /// files that it names, by path. `tools`: that of everything that works on them.
    static func key(
        of work: BundleWork, _ kind: PlannedTask.Kind, files: [String: String], tools: String
    ) throws(MediaError) -> String {
        var text = "\(kind.rawValue)\n" + (try CanonicalJSON.text(work))
        // A file counts by its content, wherever it is.
        for (path, hash) in files.sorted(by: { $0.key < $1.key }) {
            text = text.replacing(try CanonicalJSON.text(path), with: "\"\(hash)\"")
        }
        return try SHA256.digest(of: tools + "\n" + text)
    }
}

/// JSON whose bytes depend on nothing but the value.
enum CanonicalJSON {
    static func bytes(_ value: some Encodable) throws(MediaError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return [UInt8](try encoder.encode(value)) } catch {
            throw MediaError(.encoding, step: "prepare", reason: "\(error)")
        }
    }

    static func text(_ value: some Encodable) throws(MediaError) -> String {
        String(decoding: try bytes(value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ type: Value.Type, from text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
