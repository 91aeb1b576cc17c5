internal import Crypto
internal import Glibc
internal import Synchronization
internal import WayreelCore

/// Videos for tests: real ones, and some made by the ffmpeg program.
package enum SampleVideo {
    /// Returns a path in Media/scrapbook.
    package static func path(_ name: String) -> String { "\(Fixture.root)/Media/scrapbook/\(name)" }

    /// Makes a source for a test: runs `ffmpeg` with `arguments`, the last of which is the path of the file. A file that
    /// was made with equal arguments, of equal inputs and by the same version is copied from `.build/test-media`, where
    /// it also comes to, so that a test may change or remove its own. Paths are relative to `folder` if it is given.
    package static func make(_ arguments: [String], in folder: String? = nil) throws {
        guard let output = arguments.last?.absolute(in: folder), let kept = try kept(arguments, in: folder) else {
            try ffmpeg(arguments, in: folder)
            return
        }
        if copy(kept, to: output) {
            utimensat(AT_FDCWD, kept, nil, 0)
            return
        }
        try ffmpeg(arguments, in: folder)
        for folder in ["\(Fixture.root)/.build", Self.folder] { mkdir(folder, 0o777) }
        let new = "\(kept).\(UInt64.random(in: 0 ... .max)).new"
        guard copy(output, to: new), rename(new, kept) == 0 else {
            unlink(new)
            throw Failure(description: "\(output) cannot be kept as \(kept)")
        }
    }

    /// Runs `ffmpeg` with `arguments`, without prompts and with errors only. Returns its outcome.
    @discardableResult
    package static func ffmpeg(_ arguments: [String], in folder: String? = nil) throws -> Command.Outcome {
        try run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments, in: folder)
    }

    @discardableResult
    package static func run(_ program: String, _ arguments: [String], in folder: String? = nil) throws
        -> Command.Outcome
    {
        var command = Command("/usr/bin/\(program)", arguments)
        command.folder = folder
        let outcome = try command.run()
        guard outcome.ending == .exited(0) else { throw Failure(description: "\(program): \(outcome.errors)") }
        return outcome
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }
}

extension SampleVideo {
    private static let folder = "\(Fixture.root)/.build/test-media"

    /// The version of the program and of its libraries; nil until it was asked.
    private static let version = Mutex<String?>(nil)

    /// Returns the path of a file that is made with `arguments`: its name is the SHA-256 of the version, the arguments,
    /// the contents of inputs, and the extension of the output, which selects the format. Returns nil if this is not all
    /// that the file depends on: inputs are in a list, or an option names a file of the test.
    private static func kept(_ arguments: [String], in folder: String?) throws -> String? {
        // HLS is several files.
        guard let output = arguments.last, output.fileExtension != "m3u8", !arguments.contains("concat") else {
            return nil
        }
        var hash = SHA256()
        func add(_ text: String) { hash.update(data: Array(text.utf8) + [0]) }
        add(try asked())
        for (index, argument) in arguments.dropLast().enumerated() {
            let path = argument.absolute(in: folder)
            if index > 0, arguments[index - 1] == "-i", RegularFile.byteCount(path) != nil {
                hash.update(data: try Fixture.bytes(path))
                add(argument.pathExtension)
            } else if argument.contains(TemporaryFolder.start) {
                return nil
            } else {
                add(argument)
            }
        }
        add(output.pathExtension)
        return "\(Self.folder)/" + hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func asked() throws -> String {
        try version.withLock { version in
            if let version { return version }
            let text = try run("ffmpeg", ["-version"]).text
            version = text
            return text
        }
    }

    /// Copies a file. Returns false if it does not exist, or the copy cannot be written.
    private static func copy(_ path: String, to copy: String) -> Bool {
        let from = open(path, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { return false }
        defer { close(from) }
        let to = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard to >= 0 else { return false }
        defer { close(to) }
        while true {
            let count = sendfile(to, from, nil, 1 << 24)
            if count <= 0 { return count == 0 }
        }
    }
}

extension String {
    /// What follows the last full stop of the name.
    fileprivate var pathExtension: String {
        let name = split(separator: "/").last ?? ""
        return String(name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? "")
    }

    /// The path of a file that ffmpeg is given.
    fileprivate func absolute(in folder: String?) -> String {
        let path = hasPrefix("file:") ? String(dropFirst("file:".count)) : self
        guard let folder, !path.hasPrefix("/") else { return path }
        return "\(folder)/\(path)"
    }
}
