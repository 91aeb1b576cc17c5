internal import FoundationEssentials
internal import Hummingbird
internal import NIOCore
internal import WayreelCore
internal import WayreelEngine
internal import WayreelStorage
internal import WayreelStreams

/// Receives recordings of sensors, keeps them, and makes other files of them.
struct RecordingService: RecordingKeeping {
    let settings: ServiceSettings
    let data: String
    let stores: any PlayerStoring
    let storage: StorageWork
    let queue: RequestQueue
    let live: LiveRecorders
    /// The threads that read recordings through, and those that draw them: no upload waits for the filters of a plot.
    private let reading = WorkPool(workers: min(2, WorkPool.availableCores))
    private let drawing = WorkPool(workers: min(2, WorkPool.availableCores))
    private let places: Allowance

    /// The bytes of an upload that have to arrive within each `--upload-seconds`.
    private static let pieceBytes = 1 << 20
    /// What reading a recording takes: pieces of it, and of some formats all samples.
    private static let (readingBytes, readingFactor) = (16 << 20, 2)

    init(
        _ settings: ServiceSettings, data: String, stores: any PlayerStoring, storage: StorageWork, queue: RequestQueue,
        log: ServiceLog?
    ) {
        (self.settings, self.data, self.stores) = (settings, data, stores)
        (self.storage, self.queue, live) = (storage, queue, LiveRecorders(log))
        places = Allowance(max(2, settings.queue / 8), clientShare: settings.clientShare)
    }

    /// Runs `body`, which blocks, on a thread of recordings, with memory for reading one of so many bytes.
    private func work<Value: Sendable>(
        on threads: WorkPool, bytes: Int, for client: Client,
        _ body: @escaping @Sendable (Cancellation) throws(MediaError) -> Value
    ) async throws -> Value {
        let memory = try queue.reserve(0, for: client)
        defer { withExtendedLifetime(memory) {} }
        try queue.grow(memory, to: Self.readingBytes + min(Self.readingFactor * bytes, settings.maxRecordingBytes))
        return try await threads.run(body)
    }

    // MARK: Uploads

    /// A recording as a request describes it, without its content.
    struct Draft: Sendable {
        var player: PlayerIdentity
        var id: String
        /// That of the file.
        var name: String
        var title: String?
        /// What the request asks for beside the content.
        var purpose: [String]
        /// When the request for it began.
        var began = Timestamp.now
    }

    /// Admitted → received into a file → read through, and written as NDJSON → stored with its row. A repeated request with
    /// the same id makes no second recording.
    ///
    /// Throws the fault or the problem of the step that failed.
    func receive(_ draft: Draft, _ request: Request, _ context: ServiceContext) async throws -> KeptRecording {
        let client = context.client
        let upload = Upload(
            noun: "recording", maxBytes: settings.maxRecordingBytes, seconds: settings.uploadSeconds,
            secondBytes: Self.pieceBytes)
        _ = try upload.declaredBytes(of: request)
        let place = try places.admit(client, seconds: 5) { .recordings($0) }
        defer { withExtendedLifetime(place) {} }
        return try await ClientPresence.required(on: context.channel) {
            // Refuses before the recording is sent.
            _ = try await known(draft)
            let files = try await storage.run { [data] in try RecordingWorkplace(data: data, name: draft.name) }
            let bytes = try await upload.read(request.body) { piece in
                try await storage.runAlways { try files.append(piece) }
            }
            let fingerprint = try await storage.runAlways { try files.fingerprint(with: draft.purpose) }
            var kept = try await known(draft)
            if kept == nil { kept = try await keep(draft, fingerprint, files, bytes: bytes, for: client) }
            guard let kept, kept.fingerprint == fingerprint else { throw StorageFault.conflict(.request) }
            return kept
        }
    }

    /// Finds the recording of an earlier request with the same id; where there is none, checks that there is room for one.
    private func known(_ draft: Draft) async throws -> KeptRecording? {
        try await storage.turn(of: draft.player) { () async throws(StorageFault) -> KeptRecording? in
            if let known = try await stores.recordings.recording(draft.id, of: draft.player) { return known }
            try await stores.erasures.checkNotRemoved(recording: draft.id, of: draft.player)
            try await stores.recordings.checkRoom(forRecordingsOf: draft.player, bytes: 1)
            return nil
        }
    }

    private func keep(
        _ draft: Draft, _ fingerprint: String, _ files: RecordingWorkplace, bytes: Int, for client: Client
    ) async throws -> KeptRecording {
        let maxBytes = settings.playerRecordingBytes
        let (intake, content): (RecordingIntake, TemporaryBlob)
        do {
            (intake, content) = try await work(on: reading, bytes: bytes, for: client) {
                (cancellation) throws(MediaError) in
                let intake = try RecordingIntake(
                    reading: files.input, writing: files.output, maxBytes: maxBytes, cancellation: cancellation)
                return (intake, try TemporaryBlob(files.output, in: files))
            }
        } catch let error as MediaError where error.kind == .decoding { throw Self.problem(error) }
        let head = intake.head
        let new = NewRecording(
            id: draft.id, fingerprint: fingerprint,
            title: draft.title ?? head.title.map { RecordingRoutes.shortened($0) } ?? draft.name.stem ?? draft.name,
            origin: draft.name, credit: head.credit.map { RecordingRoutes.shortened($0) }, began: draft.began)
        let marks = head.marks.map(NewMark.init)
        return try await storage.turn(of: draft.player) {
            try await stores.recordings.keep(
                new, RecordingFacts(intake), marks: marks, bytes: content.count, content: { try content.bytes($0) },
                of: draft.player)
        }
    }

    /// The answer to a damaged recording: with the line, without the path of the server.
    private static func problem(_ error: MediaError) -> Problem {
        var problem = Problem(error)
        problem.title = "The recording is damaged"
        let parts = (error.subject ?? "").split(separator: ", line ")
        problem.detail = (parts.count > 1 ? "line \(parts[parts.count - 1]): " : "") + error.reason.onOneLine
        return problem
    }

    // MARK: Content

    /// A recording as NDJSON with its marks.
    func content(of recording: KeptRecording, _ player: PlayerIdentity) async throws -> MarkedBlob {
        let marks = try await stores.recordings.marks(of: recording.id, player)
        let notation: SensorTime.Notation = recording.facts.hasDates ? .date : .seconds
        let lines = marks.map { SensorWriter.line(SensorMark($0.mark), notation) + "\n" }
        return MarkedBlob(
            samples: try await stores.blobs.open(recording.file), sampleBytes: recording.bytes,
            marks: Array(lines.joined().utf8))
    }

    /// A file that `make` makes of a recording at a path. It is removed when the returned object is. `seconds`: of a plot,
    /// the most that it may take.
    func file(
        of recording: KeptRecording, _ player: PlayerIdentity, seconds: Double? = nil, for context: ServiceContext,
        _ make: @escaping @Sendable (_ input: String, _ output: String, Cancellation) throws(MediaError) -> Void
    ) async throws -> TemporaryBlob {
        let client = context.client
        let place = try places.admit(client, seconds: 5) { .recordings($0) }
        defer { withExtendedLifetime(place) {} }
        return try await ClientPresence.required(on: context.channel) {
            let content = try await content(of: recording, player)
            let files = try await copy(content)
            let threads = storage.threads
            let workers = seconds == nil ? reading : drawing
            do {
                return try await work(on: workers, bytes: content.count, for: client) {
                    (cancellation) throws(MediaError) in
                    try Self.limit(to: seconds, cancellation) { () throws(MediaError) in
                        try make(files.input, files.output, cancellation)
                    }
                    return try TemporaryBlob(files.output, in: files, threads: threads)
                }
            } catch let error as MediaError where error.kind == .encoding {
                throw Problem(
                    .unprocessableContent, code: error.code.rawValue, "The recording does not fit this format",
                    detail: error.reason.onOneLine)
            }
        }
    }

    /// Runs `body`, and cancels it after so many seconds: filters take as long as they have to, and others wait.
    private static func limit(
        to seconds: Double?, _ cancellation: Cancellation, _ body: () throws(MediaError) -> Void
    ) throws(MediaError) {
        guard let seconds else { return try body() }
        let isLate = Cancellation()
        let timer = Task {
            try await Task.sleep(for: .seconds(seconds))
            isLate.cancel()
            cancellation.cancel()
        }
        defer { timer.cancel() }
        do throws(MediaError) { try body() } catch {
            guard error.kind == .cancelled, isLate.isCancelled else { throw error }
            throw MediaError(
                .limit, code: .timedOut, step: .plot, reason: "took longer than \(seconds.shortDescription) s",
                advice: "plot a shorter part, or use fewer filters")
        }
    }

    private func copy(_ content: some StoredBlob) async throws -> RecordingWorkplace {
        let files = try await storage.run { [data] in try RecordingWorkplace(data: data, name: "recording.ndjson") }
        // Also without samples, there is a file.
        try await storage.runAlways { try files.append(ByteBuffer()) }
        for start in stride(from: 0, to: content.count, by: Self.pieceBytes) {
            try Task.checkCancellation()
            let piece = try await content.read(start..<min(start + Self.pieceBytes, content.count))
            try await storage.runAlways { try files.append(ByteBuffer(bytes: piece)) }
        }
        return files
    }

    // MARK: Live streams

    func recorder(
        of player: PlayerIdentity, stream: String, title: String?
    ) async throws -> any StreamRecorder {
        let new = NewRecording(
            id: UUID().uuidString.lowercased(), title: title ?? stream, origin: stream, began: .now)
        let kept = try await storage.turn(of: player) {
            try await stores.recordings.checkRoom(forRecordingsOf: player, bytes: 1)
            return try await stores.recordings.begin(new, of: player)
        }
        let recorder = LiveRecorder(kept, of: player, in: stores.recordings, live)
        live.add(recorder)
        return recorder
    }

    func played(
        _ id: String, of player: PlayerIdentity, ringBytes: Int
    ) async throws -> any StreamPlaying {
        let recording = try await storage.admit { try await stores.recordings.recording(id, of: player) }
        guard let recording else { throw Problem.notFound("no such recording") }
        let marks = try await stores.recordings.marks(of: id, player)
        let keeper = RecordingMarks(id, of: player, marks, in: stores.recordings) { [live] in live.tell($0) }
        return PlayedRecording(recording, marks, keeper: keeper, ringBytes: ringBytes) {
            let samples = try await stores.blobs.open(recording.file)
            return try await copy(MarkedBlob(samples: samples, sampleBytes: recording.bytes, marks: []))
        }
    }

    /// Begins to complete what a killed service has left. No recording may be added before.
    func start() async throws {
        try await storage.runAlways { [data] in OutputFile.discardUnfinished(in: data) }
        let unfinished = try await stores.recordings.unfinished()
        if !unfinished.isEmpty { Task { await complete(unfinished) } }
    }

    /// Recordings are read through, to know what is in them.
    private func complete(_ recordings: [KeptRecording]) async {
        for recording in recordings {
            let player = PlayerIdentity(id: recording.player)
            do {
                let facts = await facts(of: recording)
                try await stores.recordings.finish(recording.id, facts, of: player)
            } catch { live.tell("\(error)") }
        }
    }

    /// nil if it cannot be read, or is empty.
    private func facts(of recording: KeptRecording) async -> RecordingFacts? {
        guard recording.bytes > 0 else { return nil }
        do {
            let samples = try await stores.blobs.open(recording.file)
            let files = try await copy(MarkedBlob(samples: samples, sampleBytes: recording.bytes, marks: []))
            return try await reading.run { (cancellation) throws(MediaError) in
                RecordingFacts(try RecordingIntake(reading: files.input, cancellation: cancellation))
            }
        } catch {
            live.tell("\(error)")
            return nil
        }
    }
}

extension RecordingFacts {
    fileprivate init(_ intake: RecordingIntake) {
        self.init(
            channels: intake.head.channels.map { RecordedChannel($0.name, unit: $0.unit, rate: $0.rate) },
            hasDates: intake.head.notation == .date, times: intake.times, samples: intake.samples)
    }
}
