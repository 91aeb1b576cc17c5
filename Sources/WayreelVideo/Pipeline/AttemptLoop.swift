package import WayreelCore

/// What an attempt to carry out a plan has shown.
package struct AttemptFindings: Sendable {
    /// Copied audio streams that do not decode as their header describes, by index, with the reasons.
    var damagedAudio: [Int: String]
    /// Whether the frames of a copied video differ in size or scan.
    var framesVary: Bool
    /// Whether the video was encoded and the file is larger than the source.
    var isLarger: Bool

    package init(damagedAudio: [Int: String] = [:], framesVary: Bool = false, isLarger: Bool = false) {
        self.damagedAudio = damagedAudio
        self.framesVary = framesVary
        self.isLarger = isLarger
    }

    /// The damage in the order of the streams.
    fileprivate var audioFaults: [String] { damagedAudio.sorted { $0.key < $1.key }.map(\.value) }
}

/// A way to make the file after an attempt that has shown something about the source.
package struct Attempt: Sendable {
    package enum Name: Hashable, Sendable {
        case encodeDamagedAudio, encodeVaryingFrames, copyInstead
    }

    let name: Name
    /// Whether what the attempt before has shown asks for it.
    let isNeeded: @Sendable (AttemptFindings) -> Bool
    let constrain: @Sendable (inout PlanConstraints, AttemptFindings) -> Void
    /// Why a plan that was given is refused; nil: it is carried out as it is.
    let refusal: (@Sendable (AttemptFindings) -> String)?

    /// The attempts after the one that is planned from the header and the packets, in the order in which they are
    /// made. Each is made at most once.
    static let all: [Attempt] = [
        Attempt(
            name: .encodeDamagedAudio, isNeeded: { !$0.damagedAudio.isEmpty },
            constrain: { $0.damagedAudio = $1.damagedAudio },
            refusal: { "the plan copies damaged audio: \($0.audioFaults.joined(separator: "; "))" }),
        Attempt(
            name: .encodeVaryingFrames, isNeeded: \.framesVary, constrain: { (known, _) in known.framesVary = true },
            refusal: { _ in "the plan copies video whose size or scan changes within the stream" }),
        Attempt(
            name: .copyInstead, isNeeded: \.isLarger, constrain: { (known, _) in known.ignoresBitRate = true },
            refusal: nil),
    ]
}

/// The plans by which a file is made, one after the other, each with what the attempt before has shown.
package struct AttemptLoop: Sendable {
    /// The plan of the current attempt.
    package private(set) var plan: TranscodePlan
    /// The current attempt; nil: the first, without findings.
    package private(set) var name: Attempt.Name?
    private let options: TranscodeOptions
    /// Whether the plan was given: no other is made.
    private let isGiven: Bool
    private var left = Attempt.all[...]

    package init(_ plan: TranscodePlan, isGiven: Bool, _ options: TranscodeOptions) {
        self.plan = plan
        self.isGiven = isGiven
        self.options = options
    }

    /// Whether the current attempt succeeds only if its file is smaller than that of the attempt before.
    var isAlternative: Bool { name == .copyInstead }

    /// Returns the plan of the next attempt, and warns of what it cannot copy. Returns nil if there is none.
    ///
    /// Throws a `planOutdated` error if the plan was given and cannot be carried out as it is, and a `parameter` error if
    /// the next one cannot.
    package mutating func next(
        after findings: AttemptFindings, _ task: TaskContext
    ) throws(MediaError) -> TranscodePlan? {
        guard let index = left.firstIndex(where: { $0.isNeeded(findings) }) else { return nil }
        let attempt = left[index]
        if isGiven {
            if let refusal = attempt.refusal { try require(false, refusal(findings)) }
            return nil
        }
        left = left[(index + 1)...]
        for fault in findings.audioFaults { task.warn(.audio, "\(fault); it is re-encoded from what can be decoded") }
        var constraints = plan.constraints ?? PlanConstraints()
        attempt.constrain(&constraints, findings)
        let next = try TranscodePlan(of: plan.source, options, constraints)
        try next.check()
        if attempt.name == .copyInstead, next.video?.action != .copy { return nil }
        (plan, name) = (next, attempt.name)
        return next
    }

    /// Throws a `planOutdated` error with `reason` if the plan was given and `holds` is false.
    func require(_ holds: Bool, _ reason: String) throws(MediaError) {
        guard isGiven, !holds else { return }
        throw MediaError(
            .parameter, code: .planOutdated, step: .plan, reason: reason, advice: "transcode it without a plan")
    }
}
