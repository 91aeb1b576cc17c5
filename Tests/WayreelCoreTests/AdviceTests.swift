internal import FoundationEssentials
internal import Glibc
internal import TestSupport
internal import Testing
internal import WayreelCore

extension OptionName {
    /// An option of another module.
    fileprivate static let enlarges = OptionName(rawValue: "framing.enlarges")
}

/// Errors of the library name its options; other interfaces use their own names.
@Suite struct AdviceTests {
    @Test func anErrorNamesTheOption() throws {
        let error = try #require(throws: MediaError.self) {
            try Limits(pixels: 100).check(size: PixelSize(width: 20, height: 20))
        }
        #expect(error.kind == .limit && error.code == .tooManyPixels)
        #expect(error.advice?.options == [.maxPixels])
        #expect(error.description.hasSuffix("; raise it with limits.pixels if you trust the file"))
        let text = error.advice?.text { option in option == .maxPixels ? "'pixels'" : "" }
        #expect(text == "raise it with 'pixels' if you trust the file")
        #expect(error.naming { _ in "--max-pixels" }.description.hasSuffix("with --max-pixels if you trust the file"))
    }

    @Test func advicesAreJoined() {
        let first: MediaError.Advice = "leave \(.track) out"
        let both: MediaError.Advice = "\(first), or use \(3) of \(.page)"
        #expect("\(both)" == "leave track out, or use 3 of page" && both.options == [.track, .page])
    }

    @Test func aWarningHasAdviceToo() {
        let warning = MediaWarning(step: .resample, "is small", advice: "\(.enlarges) upscales it")
        #expect("\(warning)" == "resample: is small; framing.enlarges upscales it")
        #expect("\(warning.naming { _ in "--enlarge" })" == "resample: is small; --enlarge upscales it")
    }

    /// Encoded as from a worker process to its parent.
    @Test(arguments: ["a text", "raise it with \(.maxPixels) or \(.page)"] as [MediaError.Advice])
    func survivesJSON(_ advice: MediaError.Advice) throws {
        let error = MediaError(.io, code: .notFound, step: .read, subject: "a", reason: "b", advice: advice)
        let json = try JSONEncoder().encode(error)
        #expect(try JSONDecoder().decode(MediaError.self, from: json) == error)
        guard advice.options.isEmpty else { return }
        #expect(String(decoding: json, as: UTF8.self).contains(#""advice":"a text""#))
    }

    /// Programs depend on the codes: codes may be added, but not renamed or removed.
    @Test func codesStayTheSame() {
        let codes =
            "decoding encoding parameter limit unsupported io cancelled damaged crashed sizeUnreachable planOutdated "
            + "tooManyPixels tooManyBytes tooManyFrames tooLong timedOut hung outOfMemory unknownFormat noVideo noAudio "
            + "outputExists notFound diskFull diskFailed"
        #expect(MediaError.Code.allCases.map(\.rawValue).joined(separator: " ") == codes)
        for kind in MediaError.Kind.allCases {
            #expect(MediaError(kind, step: .read, reason: "").code.rawValue == kind.rawValue)
        }
    }

    @Test func aSubjectIsForgotten() {
        let error = MediaError(.io, step: .read, subject: "/proc/1/fd/3", reason: "is closed")
        #expect(error.forgetting("/proc/1/fd/3").naming("a.jpg").description == "a.jpg: read: is closed")
        #expect(error.forgetting("b.jpg") == error)
    }

    /// The meanings of the numbers are those of errno(3). A missing file or permission is not the disk's fault.
    @Test(
        arguments: [
            (ENOSPC, .diskFull, "space"), (EDQUOT, .diskFull, "space"), (EROFS, .diskFailed, "writable"),
            (EIO, .diskFailed, "check the disk"), (ENOENT, nil, nil), (EACCES, nil, nil),
        ] as [(Int32, MediaError.Code?, String?)])
    func faultsOfTheDisk(_ number: Int32, _ code: MediaError.Code?, _ words: String?) {
        #expect(MediaError.Code(disk: number) == code)
        let advice = MediaError.Advice(disk: number)?.description
        #expect(words.map { advice?.contains($0) == true } ?? (advice == nil), "\(advice ?? "none")")
        let error = MediaError(system: number, step: .write, subject: "a", advice: "other")
        #expect(error.kind == .io && error.code == code ?? .io)
        #expect(error.reason == String(cString: strerror(number)).lowercased())
        #expect(error.advice?.description == advice ?? "other")
    }

    @Test(arguments: MediaError.Kind.allCases) func aKindHasAGeneralCode(_ kind: MediaError.Kind) {
        #expect(MediaError(kind, step: .read, reason: "a").code.rawValue == kind.rawValue)
    }

    /// No message in the library's sources, outside of comments, names a flag or a command.
    @Test func theLibraryNamesNoFlag() throws {
        let flag = try Regex(#"--[a-z][a-z-]+[a-z]|'wayreel "#)
        var count = 0
        let targets = [
            "Core", "Document", "Database", "AV", "Image", "Levels", "Video", "HLS", "Tasks", "Story", "Bundle",
        ]
        for target in targets {
            let folder = "\(Fixture.root)/Sources/Wayreel\(target)"
            let list = try Command("/usr/bin/find", [folder, "-name", "*.swift"]).run()
            for path in list.text.split(separator: "\n") {
                let lines = String(decoding: try Fixture.bytes(String(path)), as: UTF8.self).split(separator: "\n")
                for line in lines where line.contains("\"") && !line.drop(while: \.isWhitespace).hasPrefix("//") {
                    count += 1
                    #expect(!line.contains(flag), "\(path): \(line)")
                }
            }
        }
        #expect(count > 1000)
    }
}

/// The errors of one place share what it says of them.
@Suite struct ErrorSiteTests {
    private let site = ErrorSite(step: .decode, format: MediaError.Format(rawValue: "GIF"), advice: "send it again")

    @Test func theFormatPrecedesTheReason() {
        let error = site("the file ends early")
        #expect("\(error)" == "decode: GIF: the file ends early; send it again")
        #expect(error.kind == .decoding && error.code == .decoding && error.format?.rawValue == "GIF")
    }

    @Test func anErrorMayDiffer() {
        #expect("\(site("is large", "use \(.page)"))" == "decode: GIF: is large; use page")
        let error = site(.unsupported, code: .unknownFormat, "is new")
        #expect(error.kind == .unsupported && error.code == .unknownFormat && error.reason == "GIF: is new")
        #expect(site(of: "a.gif", "is empty").subject == "a.gif")
    }

    @Test func theWordsMayBeOthers() {
        let site = ErrorSite(.encoding, step: .encode, subject: "a") { "libjpeg: \($0)" }
        #expect("\(site("no memory"))" == "a: encode: libjpeg: no memory")
    }

    @Test func aFailedCallNamesItsFile() {
        let error = ErrorSite(.io, step: .write)("a", ENOSPC)
        #expect(error == MediaError(system: ENOSPC, step: .write, subject: "a"))
    }

    /// The step is its name, as in reports of every version; a format is a member of its own.
    @Test func jsonHasTheNames() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let error = site("is empty")
        let json = try encoder.encode(error)
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"{"advice":"send it again","code":"decoding","format":"GIF","kind":"decoding","#
                + #""reason":"GIF: is empty","step":"decode"}"#)
        #expect(try JSONDecoder().decode(MediaError.self, from: json) == error)
        let plain = try encoder.encode(MediaError(.io, step: .read, reason: "a"))
        #expect(String(decoding: plain, as: UTF8.self) == #"{"code":"io","kind":"io","reason":"a","step":"read"}"#)
    }
}

extension MediaError.Step {
    fileprivate static let resample = MediaError.Step(rawValue: "resample")
}
