internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelLevels
internal import WayreelTasks

/// `POST /v1/levels`: the levels of the audio in the body.
struct LevelsRoutes: Sendable {
    let settings: ServiceSettings
    let work: ImageWork

    /// The formats and their types. The `Accept` header chooses the first format of a type.
    private static let types: [(type: String, format: LevelsFormat)] = [
        ("application/json", .json), ("application/octet-stream", .dat), ("image/svg+xml", .svg), ("image/png", .png),
        ("text/csv", .csv), ("application/x-ndjson", .ndjson), ("application/json", .audiowaveform),
        ("application/json", .wavesurfer), ("application/json", .soundcloud),
    ]

    static var mediaTypes: [String] { types.map(\.type).reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }

    func answer(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let asked = try LevelsRequest.settings.read(request.uri.query ?? "", into: LevelsRequest())
        let format = try asked.format ?? Self.format(accept: request.headers[.accept])
        let limits = AudioLimits(seconds: settings.maxSeconds)
        // Wrong options are refused before the body is read.
        let options = try asked.options(format, limits: limits)
        _ = try LevelsPipeline(options)
        let upload = Upload(noun: "audio", maxBytes: settings.maxBytes, seconds: settings.uploadSeconds)
        try work.queue.check(context.client)
        let reserved = try upload.reserve(for: request, of: context.client, in: work.queue)
        defer { withExtendedLifetime(reserved) {} }
        let result = try work.queue.reserve(0, for: context.client)
        let levels = try await ClientPresence.required(on: context.channel) {
            let audio = try await reserved.receiveArray(request.body)
            return try await work.run(for: context.client) { (cancellation, seconds) throws(MediaError) in
                var options = options
                options.limits.seconds = seconds
                let measured = try LevelsPipeline(options).measure(audio, cancellation: cancellation)
                let sink = BoundedSink(maxBytes: settings.maxBytes, result)
                try measured.write(0, to: sink)
                return sink.bytes
            }
        }
        var headers: HTTPFields = [
            .contentType: Self.types.first { $0.format == format }!.type, .cacheControl: "no-store",
        ]
        if asked.format == nil { headers[.vary] = "Accept" }
        return try Response(HeldBytes(levels, in: result), headers, to: request)
    }

    /// Throws a ``Problem`` if the client accepts only other types.
    private static func format(accept: String?) throws -> LevelsFormat {
        guard let accept else { return .json }
        let best = AcceptHeader(accept).best(of: mediaTypes)
        guard let found = types.first(where: { $0.type == best }) else {
            throw Problem(
                .notAcceptable, code: "not-acceptable", "Levels have none of the types that are accepted",
                detail: "accept one of \(mediaTypes.joined(separator: ", ")), or choose a format")
        }
        return found.format
    }
}

/// Bytes in memory, up to a maximum number, and as many as can be reserved.
private final class BoundedSink: ByteSink {
    private(set) var bytes: [UInt8] = []
    private let maxBytes: Int
    private let memory: Reservation

    init(maxBytes: Int, _ memory: Reservation) { (self.maxBytes, self.memory) = (maxBytes, memory) }

    func write(_ bytes: UnsafeRawBufferPointer) throws(MediaError) {
        guard self.bytes.count + bytes.count <= maxBytes else {
            throw MediaError(
                .limit, code: .tooManyBytes, step: "write", reason: "the levels have more than \(maxBytes) bytes",
                advice: "ask for fewer readings")
        }
        let needed = self.bytes.count + bytes.count
        if needed > self.bytes.capacity {
            // An array that grows has twice the size.
            do throws(Allowance.Refusal) { try memory.grow(to: 2 * needed) } catch {
                throw MediaError(
                    .limit, code: .outOfMemory, step: "write", reason: "there is no memory for more levels",
                    advice: "ask for fewer readings, or try again later")
            }
        }
        self.bytes.append(contentsOf: bytes)
    }
}
