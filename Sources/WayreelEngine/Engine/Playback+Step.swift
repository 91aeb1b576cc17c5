internal import WayreelStory

extension Playback {
    /// Applies an input to a player's state, and returns its outcomes in order.
    ///
    /// An invalid input changes nothing; ``fault(of:)`` explains what is wrong with it. A fix that is older than the
    /// last one is not used unless more such fixes follow. Every other input is applied at its own time.
    ///
    /// An event whose circle contains the player is found as soon as it may be, even if an answer, another finding or
    /// the time of day makes that possible. An event that fires on leaving is found only if it may be found at that
    /// moment.
    public func step(_ input: PlaybackInput, _ state: inout PlaybackState) -> [PlaybackOutcome] {
        var observer = NoObserver()
        return step(input, &state, observer: &observer)
    }

    func step(
        _ input: PlaybackInput, _ state: inout PlaybackState, observer: inout some StepObserver
    ) -> [PlaybackOutcome] {
        var outcomes: [PlaybackOutcome] = []
        let timestamp = input.timestamp
        func report(_ kind: PlaybackOutcome.Kind) { outcomes.append(PlaybackOutcome(kind, at: timestamp)) }
        if !state.hasBegun { begin(&state, report) }
        switch input {
        case .fix(let fix): move(to: fix, &state, &observer, report)
        case .heading: break
        case .signalLost: state.fixFilter.lose()
        case .clock: stay(at: timestamp, &state, report)
        case .answer(let lockbox, let text, _):
            guard fault(of: input) == nil else { break }
            answer(lockbox, text, &state, report)
            stay(at: timestamp, &state, report)
        case .code(let text, _):
            guard fault(of: input) == nil else { break }
            enter(text, at: timestamp, &state, report)
            stay(at: timestamp, &state, report)
        case .quizAnswer(let event, let question, let choices, _):
            guard fault(of: input) == nil else { break }
            answer(event, question, choices, &state, report)
        case .capture(let event, let id, let file, _):
            guard fault(of: input) == nil, let number = eventNumbers[event], state.facts.found.contains(number) else {
                break
            }
            report(.captureKept(event: event, id: id, file: file))
        }
        return outcomes
    }

    // MARK: Answers

    private func answer(
        _ id: String, _ text: String, _ state: inout PlaybackState, _ report: (PlaybackOutcome.Kind) -> Void
    ) {
        guard let number = lockboxNumbers[id] else { return }
        let part = lockboxes[number]
        guard state.facts.available.contains(part.chapter),
            state.facts.opened.firstMissing(in: chapters[part.chapter].lockboxes) == number
        else { return }
        guard part.answers.contains(text.asAnswer) else {
            let count = state.countWrongAnswer(number)
            let hints = part.lockbox.hints
            let hint = hints.isEmpty ? nil : hints[min(count, hints.count) - 1]
            return report(.answerWrong(lockbox: id, text: text, hint: hint))
        }
        report(.lockboxOpened(lockbox: id, text: text))
        open(number, &state, report)
    }

    /// Finds the event of a code, if it may be found; where the player is does not matter.
    private func enter(
        _ text: String, at timestamp: Timestamp, _ state: inout PlaybackState,
        _ report: (PlaybackOutcome.Kind) -> Void
    ) {
        guard let event = codeNumbers[text] else { return report(.codeWrong(text: text)) }
        guard mayBeFound(event, state.facts, at: timestamp) else { return }
        find(event, at: events[event].position, &state, report)
    }

    private func answer(
        _ id: String, _ question: Int, _ choices: [Int], _ state: inout PlaybackState,
        _ report: (PlaybackOutcome.Kind) -> Void
    ) {
        guard let event = eventNumbers[id], state.facts.found.contains(event),
            state.insertAnswer(event: event, question: question)
        else { return }
        let asked = events[event].questions[question]
        let isCorrect = asked.choices.indices.allSatisfy { asked.choices[$0].isCorrect == choices.contains($0) }
        report(
            .quizAnswered(
                event: id, question: question, choices: choices, isCorrect: isCorrect,
                points: isCorrect ? asked.points : 0))
    }

    // MARK: Positions

    private func move(
        to fix: Fix, _ state: inout PlaybackState, _ observer: inout some StepObserver,
        _ report: (PlaybackOutcome.Kind) -> Void
    ) {
        let judgement = state.fixFilter.judge(fix, rules)
        guard judgement.verdict.isUsed, let place = state.fixFilter.last else {
            observer.ignored(fix, judgement.verdict, self, state)
            return
        }
        if judgement.startsAnew {
            for index in state.fences.indices {
                state.fences[index].reset(at: fix.timestamp, rested: judgement.rested)
            }
        }
        track(place, judgement.leg, &state)

        var leaving: [Int] = []
        var passing: [(event: Int, place: GeoPoint)] = []
        let facts = state.facts
        for index in state.fences.indices {
            let event = Int(state.fences[index].event)
            guard events.indices.contains(event) else { continue }
            let change = events[event].fence.apply(
                place, judgement.leg, rules, mayBeNear: { mayBeFound(event, facts) }, to: &state.fences[index])
            guard let change else { continue }
            let id = events[event].id
            if change.isNear { report(.near(event: id, distance: change.distance)) }
            if change.entered { report(.entered(event: id, distance: change.distance)) }
            if let seconds = change.dwelt { report(.dwelt(event: id, seconds: seconds)) }
            if let place = change.passing { passing.append((event, place)) }
            if change.left {
                report(.left(event: id, distance: change.distance))
                leaving.append(event)
            }
        }
        observer.used(place, judgement, self, state)
        fire(at: fix.timestamp, leaving: leaving, passing: passing, &state, report)
        observer.fired(self, state)
        removeDistantFences(&state)
    }

    /// Applies the passing of time while the player stays at the last position.
    private func stay(at timestamp: Timestamp, _ state: inout PlaybackState, _ report: (PlaybackOutcome.Kind) -> Void) {
        guard let last = state.fixFilter.last, abs(timestamp.seconds(since: last.timestamp)) <= rules.restsFor else {
            return
        }
        for index in state.fences.indices {
            let fence = state.fences[index]
            guard fence.isPresent, fence.touches, !fence.hasDwelt, let since = fence.since,
                events.indices.contains(Int(fence.event)), let dwell = events[Int(fence.event)].fence.dwell,
                timestamp.seconds(since: since) >= dwell
            else { continue }
            state.fences[index].hasDwelt = true
            report(.dwelt(event: events[Int(fence.event)].id, seconds: timestamp.seconds(since: since)))
        }
        fire(at: timestamp, leaving: [], passing: [], &state, report)
        removeDistantFences(&state)
    }

    /// Starts to track the state of events that the player may now be near.
    private func track(_ place: FixFilter.Place, _ leg: FixFilter.Leg?, _ state: inout PlaybackState) {
        let known = state.fences.count
        index.forEachNear(place.position, radius: (leg?.length ?? 0) * 1.01 + 1) { event in
            guard !state.facts.found.contains(event), !Self.contains(event, state.fences[..<known]) else { return }
            state.fences.append(FenceState(event: Int32(event)))
        }
        guard state.fences.count > known else { return }
        state.fences.sort { $0.event < $1.event }
        // The index reports a circle on the antimeridian from both sides.
        for index in state.fences.indices.dropFirst().reversed()
        where state.fences[index].event == state.fences[index - 1].event {
            state.fences.remove(at: index)
        }
    }

    private static func contains(_ event: Int, _ fences: ArraySlice<FenceState>) -> Bool {
        var (low, high) = (fences.startIndex, fences.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if Int(fences[middle].event) < event { low = middle + 1 } else { high = middle }
        }
        return low < fences.endIndex && Int(fences[low].event) == event
    }

    private func removeDistantFences(_ state: inout PlaybackState) {
        let found = state.facts.found
        state.fences.removeAll { fence in
            !events.indices.contains(Int(fence.event))
                || !fence.isInside && (found.contains(Int(fence.event)) || fence.votes == 0 && !fence.isNear)
        }
    }

    // MARK: Finding

    /// Finds all triggered events that may be found, in the author's order, until no more events become available.
    private func fire(
        at timestamp: Timestamp, leaving: [Int], passing: [(event: Int, place: GeoPoint)],
        _ state: inout PlaybackState, _ report: (PlaybackOutcome.Kind) -> Void
    ) {
        guard let position = state.fixFilter.last?.position else { return }
        var triggered: [Int] = []
        for fence in state.fences {
            let event = Int(fence.event)
            guard events.indices.contains(event) else { continue }
            let isThere = fence.isPresent || passing.contains { $0.event == event }
            switch events[event].trigger {
            case .enter where isThere, .dwell where isThere && fence.hasDwelt: triggered.append(event)
            case .exit where leaving.contains(event): triggered.append(event)
            default: break
            }
        }
        var isMore = !triggered.isEmpty
        while isMore {
            isMore = false
            for event in triggered where mayBeFound(event, state.facts, at: timestamp) {
                let place = passing.first { $0.event == event }?.place ?? position
                find(event, at: place, &state, report)
                isMore = true
            }
        }
    }

    /// Finds an event that may be found, at the player's position or at that of its code.
    private func find(
        _ event: Int, at place: GeoPoint, _ state: inout PlaybackState, _ report: (PlaybackOutcome.Kind) -> Void
    ) {
        report(.found(event: events[event].id, at: place))
        report(.show(event: events[event].id, media: events[event].media))
        find(event, &state, report)
    }

    /// Returns the id of the event that has a code, or in a bundle the hash of one; nil if there is none.
    public func event(ofCode text: String) -> String? { codeNumbers[text].map { events[$0].id } }

    /// Whether the player counts as being inside an event's circle.
    func isAt(_ event: String, _ state: PlaybackState) -> Bool {
        guard let number = eventNumbers[event] else { return false }
        return state.fences.contains { Int($0.event) == number && $0.isPresent }
    }

    /// Returns the reason why a valid input has no effect yet, or nil: a lockbox is not asked, the event of a code
    /// may not be found, or that of an answer or a capture was not found. Apply such an input again later.
    public func refusal(of input: PlaybackInput, _ state: PlaybackState) -> String? {
        switch input {
        case .answer(let id, _, _):
            guard let number = lockboxNumbers[id], !state.facts.opened.contains(number),
                !askedLockboxes(state).contains(where: { $0.id == id })
            else { return nil }
            return "the lockbox '\(id)' is not asked yet, and its answer does not count"
        case .code(let text, let timestamp):
            guard let event = codeNumbers[text], !state.facts.found.contains(event),
                !mayBeFound(event, state.facts, at: timestamp)
            else { return nil }
            return "the event '\(events[event].id)' may not be found yet, and its code does not count"
        case .quizAnswer(let event, _, _, _): return refusal(of: "answer", to: event, state)
        case .capture(let event, _, _, _): return refusal(of: "capture", to: event, state)
        case .fix, .heading, .clock, .signalLost: return nil
        }
    }

    private func refusal(of what: String, to event: String, _ state: PlaybackState) -> String? {
        guard let number = eventNumbers[event], !state.facts.found.contains(number) else { return nil }
        return "the event '\(event)' was not found yet, and its \(what) is not kept"
    }

    // MARK: Invalid input

    /// The maximum size of an answer, an id or a path, in bytes.
    private static let longestText = 4000

    /// Returns the reason why an input is invalid for this story, or nil. ``step(_:_:)`` ignores invalid inputs.
    public func fault(of input: PlaybackInput) -> String? {
        if !Timestamp.range.contains(input.timestamp) { return "the time is not within the years 1 to 9999" }
        switch input {
        case .fix(let fix): return fix.fault
        case .heading(let heading): return heading.degrees.isFinite ? nil : "the heading is not a number"
        case .answer(let lockbox, let text, _):
            if lockboxNumbers[lockbox] == nil { return "the story has no lockbox '\(lockbox.prefix(100))'" }
            return Self.fault("an answer", text)
        case .code(let text, _): return Self.fault("a code", text)
        case .quizAnswer(let event, let question, let choices, _):
            guard let number = eventNumbers[event] else { return "the story has no event '\(event.prefix(100))'" }
            let questions = events[number].questions
            if questions.isEmpty { return "the event '\(event)' is not a quiz" }
            guard questions.indices.contains(question) else {
                return "the quiz '\(event)' has \(questions.count) questions, counted from 0; there is no \(question)"
            }
            let count = questions[question].choices.count
            guard !choices.isEmpty, choices.count <= count, choices.allSatisfy({ (0..<count).contains($0) }) else {
                return "the question \(question) of '\(event)' has \(count) choices, counted from 0; choose from them"
            }
            return nil
        case .capture(let event, let id, let file, _):
            guard let number = eventNumbers[event] else { return "the story has no event '\(event.prefix(100))'" }
            if !events[number].takesCaptures { return "the event '\(event)' is not a camera event" }
            if id.isEmpty { return "the capture has no id" }
            return Self.fault("a capture's id", id) ?? Self.fault("a capture's file", file ?? "")
        case .clock, .signalLost: return nil
        }
    }

    static func fault(_ what: String, _ text: String) -> String? {
        if text.utf8.count > longestText { return "\(what) has at most \(longestText) bytes, not \(text.utf8.count)" }
        return text.utf8.contains(0) ? "\(what) holds a NUL character" : nil
    }
}

/// Observes how ``Playback`` judges fixes, without affecting the result.
protocol StepObserver {
    mutating func ignored(_ fix: Fix, _ verdict: FixVerdict, _ playback: Playback, _ state: PlaybackState)
    /// Called after the fences have processed the fix and before its events are found.
    mutating func used(
        _ place: FixFilter.Place, _ judgement: FixFilter.Judgement, _ playback: Playback, _ state: PlaybackState)
    /// Called after the events of the fix were found.
    mutating func fired(_ playback: Playback, _ state: PlaybackState)
}

struct NoObserver: StepObserver {
    @inline(__always)
    func ignored(_ fix: Fix, _ verdict: FixVerdict, _ playback: Playback, _ state: PlaybackState) {}
    @inline(__always)
    func used(_ place: FixFilter.Place, _ judgement: FixFilter.Judgement, _ playback: Playback, _ state: PlaybackState)
    {}
    @inline(__always) func fired(_ playback: Playback, _ state: PlaybackState) {}
}
