internal import Crypto
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelDocument
internal import WayreelEngine
internal import WayreelStorage
internal import WayreelStreams

/// Recordings of sensors: `GET` and `POST /v1/recordings`, and of each its content, description, settings, marks and plot.
struct RecordingRoutes: Sendable {
    let access: PlayerAccess
    let service: RecordingService

    private static let maxListed = 200
    private static let (maxName, maxTitle, maxText) = (200, 200, 1000)

    private var store: any RecordingStoring { service.stores.recordings }
    private var storage: StorageWork { service.storage }

    /// A title or a credit of a recording, as long as one is kept.
    static func shortened(_ text: String) -> String { String(text.prefix(maxTitle)) }

    // MARK: All

    private struct Page: Encodable {
        var recordings: [ListedRecording]
        /// The value of `after` for the next page; none after the last one.
        var next: String?
    }

    /// The player's recordings, the newest first.
    func list(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query)
        try query.check(allowing: access.fieldNames.union(["limit", "after"]))
        let limit = query.value("limit").map { Int($0) ?? 0 } ?? 50
        guard (1...Self.maxListed).contains(limit) else {
            throw Problem.badRequest("'limit' takes a number from 1 to \(Self.maxListed)")
        }
        let after = try query.value("after").map(Self.place)
        let found = try await storage.admit {
            try await store.recordings(of: player, limit: limit + 1, after: after)
        }
        let page = found.prefix(limit)
        let next = found.count > limit ? page.last.map { "\($0.began.milliseconds)_\($0.id)" } : nil
        let json = try CanonicalJSON.bytes(Page(recordings: page.map(ListedRecording.init), next: next))
        let memory = try service.queue.reserve(json.count, for: context.client)
        return Response(
            status: .ok, headers: Self.headers(type: "application/json"),
            body: HeldBytes(json, in: memory).body(0..<json.count))
    }

    private static func place(_ text: String) throws -> RecordingPlace {
        let parts = text.split(separator: "_", maxSplits: 1).map(String.init)
        guard parts.count == 2, let began = Int64(parts[0]) else {
            throw Problem.badRequest("'after' takes the 'next' of a page")
        }
        return RecordingPlace(began: Timestamp(milliseconds: began), id: parts[1])
    }

    private static func headers(type: String) -> HTTPFields {
        [.contentType: type, .cacheControl: "private, no-cache", .vary: "Authorization"]
    }

    /// Keeps a recording of any format. A repeated request with the same `Idempotency-Key` makes no second one.
    func post(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query)
        try query.check(allowing: access.fieldNames.union(["name", "title"]))
        guard request.headers[.contentType]?.lowercased().hasPrefix("multipart/") != true else {
            throw Problem(
                .unsupportedMediaType, code: "form", "Recordings are not sent in forms",
                detail: "send the recording itself as the body")
        }
        let name = query.value("name") ?? "recording"
        guard (1...Self.maxName).contains(name.utf8.count), name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
            throw Problem.badRequest("'name' takes 1 to \(Self.maxName) bytes without control characters")
        }
        guard name.fileExtension?.lowercased() != "hea" else {
            throw Problem(
                .unsupportedMediaType, code: "format", "A recording of WFDB has several files",
                detail: "send the file of 'wayreel streams convert'")
        }
        let title = query.value("title")
        guard title.map({ (1...Self.maxTitle).contains($0.utf8.count) }) ?? true else {
            throw Problem.badRequest("'title' takes 1 to \(Self.maxTitle) bytes")
        }
        let draft = RecordingService.Draft(
            player: player, id: try Upload.id(of: request), name: name, title: title,
            purpose: [player.id, request.uri.query ?? ""])
        let kept = try await service.receive(draft, request, context)
        return try Response(
            json: ListedRecording(kept), status: .created,
            [.location: "/v1/recordings/\(kept.id)", .cacheControl: "no-store"])
    }

    // MARK: One

    /// The recording of a request, of its player. `fields`: what its query may have.
    private func found(
        _ request: Request, _ context: ServiceContext, fields: Set<String> = []
    ) async throws -> (player: PlayerIdentity, recording: KeptRecording, query: QueryFields) {
        let query = try QueryFields(of: request)
        let player = try await access.player(of: request, query)
        try query.check(allowing: access.fieldNames.union(fields))
        let id = try context.decoded("recording").lowercased()
        let recording = try await storage.admit { try await store.recording(id, of: player) }
        guard let recording else { throw Self.missing }
        return (player, recording, query)
    }

    private static let missing = Problem.notFound("no such recording")

    private static let types: [RecordingConversion.Format: String] = [
        .ndjson: "application/x-ndjson", .csv: "text/csv; charset=utf-8", .edf: "application/edf",
        .dicom: "application/dicom",
    ]

    /// The samples and marks, as NDJSON or in another format.
    func get(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (player, recording, query) = try await found(request, context, fields: ["format"])
        let text = query.value("format") ?? "ndjson"
        guard let format = RecordingConversion.Format(rawValue: text), let type = Self.types[format] else {
            let all = RecordingConversion.Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.badRequest("'format' takes one of \(all)")
        }
        var headers = Self.headers(type: type)
        let tag = EntityTag("\(recording.id)-\(recording.bytes)-\(recording.markChanges)-\(format.rawValue)")
        headers[.eTag] = tag.text
        let ending = format == .dicom ? "dcm" : format.rawValue
        headers[.contentDisposition] = "attachment; filename=\"\(recording.id).\(ending)\""
        if tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: headers)
        }
        if format == .ndjson {
            let content = try await storage.admit { try await service.content(of: recording, player) }
            return try Response(blob: content, headers, to: request)
        }
        let file = try await service.file(of: recording, player, for: context) {
            (input, output, cancellation) throws(MediaError) in
            try RecordingConversion().convert(input, to: output, as: format, cancellation: cancellation)
        }
        return try Response(blob: file, headers, to: request)
    }

    func description(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, recording, _) = try await found(request, context)
        return try tagged(try CanonicalJSON.bytes(ListedRecording(recording)), to: request)
    }

    private func tagged(_ json: [UInt8], to request: Request) throws -> Response {
        var headers = Self.headers(type: "application/json")
        let tag = EntityTag(SHA256.hash(data: json).hexadecimal)
        headers[.eTag] = tag.text
        if tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: headers)
        }
        return try Response(json, headers, to: request)
    }

    func delete(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (player, recording, _) = try await found(request, context)
        try await storage.turn(of: player) {
            try await store.removeRecordings([recording.id], of: player, at: .now)
        }
        return Response(status: .noContent)
    }

    // MARK: Plots

    func settings(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (player, recording, _) = try await found(request, context)
        let json = try await storage.admit { try await store.settings(of: recording.id, player) }
        return try tagged(try json.map { Array($0.utf8) } ?? PlotSettings().json(), to: request)
    }

    func setSettings(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (player, recording, _) = try await found(request, context)
        let json = try await body(of: request, maxBytes: PlotSettings.maxBytes)
        let stored = try PlotSettings(json: json).json()
        try await storage.turn(of: player) {
            try await store.setSettings(String(decoding: stored, as: UTF8.self), of: recording.id, player)
        }
        return try tagged(stored, to: request)
    }

    private func body(of request: Request, maxBytes: Int) async throws -> [UInt8] {
        let upload = Upload(noun: "request", maxBytes: maxBytes, seconds: 10)
        _ = try upload.declaredBytes(of: request)
        return try await upload.receiveSmall(request.body)
    }

    private static let plotTypes: [SensorPlot.FileType: String] = [
        .svg: "image/svg+xml", .png: "image/png", .pdf: "application/pdf",
    ]

    /// `plot.svg`, `plot.png` or `plot.pdf`: as the settings say.
    func plot(
        _ type: SensorPlot.FileType, _ request: Request, _ context: ServiceContext
    ) async throws -> Response {
        let (player, recording, query) = try await found(request, context, fields: ["from", "seconds"])
        let stored = try await storage.admit { try await store.settings(of: recording.id, player) }
        let settings = stored.flatMap { try? PlotSettings(json: Array($0.utf8)) } ?? PlotSettings()
        var plot = SensorPlot(streams: settings.selections(of: recording.facts.channels.map(\.name)))
        guard !plot.streams.isEmpty else {
            throw Problem(.unprocessableContent, code: "settings", "The settings hide all channels")
        }
        plot.title = recording.title
        plot.start = try Self.number("from", query).map { .seconds($0) }
        plot.seconds = try Self.number("seconds", query)
        let filters = try settings.sensorFilters()
        var headers = Self.headers(type: Self.plotTypes[type] ?? "")
        let state = [
            recording.id, "\(recording.bytes)", "\(recording.markChanges)", stored ?? "", request.uri.query ?? "",
        ]
        let tag = EntityTag(SHA256.hash(data: Array(state.joined(separator: "\n").utf8)).hexadecimal)
        headers[.eTag] = tag.text
        if tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: headers)
        }
        // As of any image.
        let seconds = service.settings.maxSeconds
        let file = try await service.file(of: recording, player, seconds: seconds, for: context) {
            [plot] (input, output, cancellation) throws(MediaError) in
            let picture = try plot.picture(of: input, filters: filters, cancellation: cancellation)
            try OutputFile.write(try picture.draw(as: type), to: output)
        }
        return try Response(blob: file, headers, to: request)
    }

    private static func number(_ name: String, _ query: QueryFields) throws -> Double? {
        guard let text = query.value(name) else { return nil }
        guard let number = DecimalNumber.value(text), number.magnitude <= 1e12 else {
            throw Problem.badRequest("'\(name)' takes a number of seconds")
        }
        return number
    }

    // MARK: Marks

    private struct MarkList: Encodable { var marks: [ListedMark] }

    func marks(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (player, recording, _) = try await found(request, context)
        let marks = try await storage.admit { try await store.marks(of: recording.id, player) }
        return try tagged(
            try CanonicalJSON.bytes(MarkList(marks: marks.map { ListedMark($0, recording) })), to: request)
    }

    /// The body of a request for a mark.
    private struct SentMark: Decodable {
        var time: RecordingMoment
        var seconds: Double?
        var text: String
        var channel: String?
    }

    func addMark(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (player, recording, _) = try await found(request, context)
        let json = try await body(of: request, maxBytes: 16 << 10)
        guard let sent = try? JSONDecoder().decode(SentMark.self, from: Data(json)) else {
            throw Self.markProblem("write {\"time\": 12.5, \"text\": \"…\"}")
        }
        let seconds = sent.seconds ?? 0
        guard (1...Self.maxText).contains(sent.text.utf8.count), seconds >= 0, seconds <= 1e9 else {
            throw Self.markProblem("'text' takes 1 to \(Self.maxText) bytes, 'seconds' a length of time")
        }
        guard sent.time.isDate == recording.facts.hasDates else {
            throw Self.markProblem(
                "the recording has \(recording.facts.hasDates ? "dates" : "seconds"), as 'time' has to have")
        }
        guard sent.channel.map({ name in recording.facts.channels.contains { $0.name == name } }) ?? true else {
            throw Self.markProblem("the recording has no such channel")
        }
        let mark = NewMark(sent.time.microseconds, seconds: seconds, text: sent.text, channel: sent.channel)
        let added = try await storage.turn(of: player) {
            try await store.changeMarks(adding: [mark], removing: [], of: recording.id, player)
        }
        guard let added = added.first else { throw Self.missing }
        return try Response(
            json: ListedMark(added, recording), status: .created,
            [.location: "/v1/recordings/\(recording.id)/marks/\(added.id)", .cacheControl: "no-store"])
    }

    private static func markProblem(_ detail: String) -> Problem {
        Problem(.unprocessableContent, code: "mark", "The body is no mark", detail: detail)
    }

    func removeMark(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (player, recording, _) = try await found(request, context)
        let id = Int(try context.decoded("mark"))
        try await storage.turn(of: player) {
            let marks = try await store.marks(of: recording.id, player)
            guard let id, marks.contains(where: { $0.id == id }) else { throw Problem.notFound("no such mark") }
            _ = try await store.changeMarks(adding: [], removing: [id], of: recording.id, player)
        }
        return Response(status: .noContent)
    }
}

/// A moment of a recording in JSON: a number of seconds, or a date of RFC 3339.
struct RecordingMoment: Codable {
    var microseconds: Int64
    var isDate: Bool

    init(_ microseconds: Int64, isDate: Bool) { (self.microseconds, self.isDate) = (microseconds, isDate) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            guard let (time, notation) = SensorTime.parse(text), notation == .date else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no date")
            }
            self.init(time.microseconds, isDate: true)
            return
        }
        guard let time = SensorTime(seconds: try container.decode(Double.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "too many seconds")
        }
        self.init(time.microseconds, isDate: false)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if isDate {
            try container.encode(SensorTime(microseconds: microseconds).text(.date))
        } else {
            try container.encode(Double(microseconds) / 1e6)
        }
    }
}

/// A recording as its player sees it.
struct ListedRecording: Encodable {
    var id: String
    var title: String
    /// The name of the file that was sent, or of the live stream.
    var origin: String
    var credit: String?
    /// When it began, or was received.
    var began: Timestamp
    var channels: [RecordedChannel]
    /// The times of the first and the last sample.
    var first: RecordingMoment?
    var last: RecordingMoment?
    var seconds: Double
    var samples: Int
    var bytes: Int
    var marks: Int
    /// Whether it is still being written.
    var recording: Bool
    /// The address of the content.
    var content: String

    init(_ recording: KeptRecording) {
        (id, title, origin) = (recording.id, recording.title, recording.origin)
        (credit, began) = (recording.credit, recording.began)
        let facts = recording.facts
        channels = facts.channels
        first = facts.times.map { RecordingMoment($0.lowerBound, isDate: facts.hasDates) }
        last = facts.times.map { RecordingMoment($0.upperBound, isDate: facts.hasDates) }
        (seconds, samples) = (facts.seconds, facts.samples)
        (bytes, marks) = (recording.bytes, recording.marks)
        self.recording = recording.isWriting
        content = "/v1/recordings/\(recording.id)"
    }
}

/// A mark of a recording.
struct ListedMark: Encodable {
    var id: Int
    var time: RecordingMoment
    /// 0 for a moment.
    var seconds: Double
    var text: String
    var channel: String?

    init(_ mark: KeptMark, _ recording: KeptRecording) {
        id = mark.id
        time = RecordingMoment(mark.mark.time, isDate: recording.facts.hasDates)
        (seconds, text, channel) = (mark.mark.seconds, mark.mark.text, mark.mark.channel)
    }
}
