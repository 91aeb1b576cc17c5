internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
public import WayreelCore
public import WayreelStory

extension CodeHashing {
    /// The iterations of new bundles: some 0.05 s for a code, and eight hours on one core for all codes that there are.
    static let usualIterations = 210_000
    /// So many iterations a bundle may ask for; more would keep a player waiting for seconds.
    private static let maxIterations = 10_000_000

    /// The hashing of a new bundle. A story always has the same salt, so that the same document gives the same bundle.
    init(ofStory id: String) {
        let salt = SHA256.hash(data: Array("wayreel codes of \(id)".utf8)).prefix(16)
        self.init(iterations: Self.usualIterations, salt: salt.hexadecimal)
    }

    /// Returns the hash of a code in 64 hexadecimal digits: 32 bytes of PBKDF2 (RFC 8018, section 5.2), which take some
    /// 0.05 s.
    ///
    /// Throws an `unsupported` error for another function, and a `decoding` error for parameters out of their range.
    package func hash(of code: String) throws(MediaError) -> String {
        guard function == Self.pbkdf2 else {
            throw MediaError(
                .unsupported, step: .story, reason: "its codes are hashed by '\(function.prefix(40))'",
                advice: "a newer Wayreel knows that function")
        }
        guard let salt = [UInt8](hexadecimal: salt), (1...Self.maxIterations).contains(iterations),
            let key = try? KDF.Insecure.PBKDF2.deriveKey(
                from: Array(code.utf8), salt: salt, using: .sha256, outputByteCount: 32,
                unsafeUncheckedRounds: iterations)
        else {
            throw MediaError(
                .decoding, step: .story, reason: "its salt or its \(iterations) iterations of codes are invalid",
                advice: "prepare the bundle again")
        }
        return key.withUnsafeBytes { Array($0) }.hexadecimal
    }
}

extension Story {
    /// Returns the story with hashes instead of the codes, as bundles hold it.
    func withHashedCodes() throws(MediaError) -> Story {
        guard chapters.contains(where: { $0.events.contains { $0.activation.code != nil } }) else { return self }
        var story = self
        let hashing = CodeHashing(ofStory: id)
        story.codeHashing = hashing
        for chapter in chapters.indices {
            for event in chapters[chapter].events.indices {
                guard let code = chapters[chapter].events[event].activation.code else { continue }
                story.chapters[chapter].events[event].activation.code = nil
                story.chapters[chapter].events[event].activation.codeHash = try hashing.hash(of: code)
            }
        }
        return story
    }

    /// Returns what ``PlaybackInput/code(text:timestamp:)`` takes for a code that a player typed, in either case and
    /// with spaces or hyphens: the code itself, or its hash if the story is that of a bundle. Hashing takes some 0.05 s.
    ///
    /// Throws an `unsupported` error if a newer Wayreel hashed the codes.
    public func enteredCode(_ text: String) throws(MediaError) -> String {
        let code = EventCode.meant(by: text)
        guard let codeHashing, EventCode.isCode(code) else { return code }
        return try codeHashing.hash(of: code)
    }
}
