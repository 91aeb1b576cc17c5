internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelLevels

/// `POST /v1/levels`: the levels of the audio in the body.
struct LevelsRoutes: Sendable {
    let settings: ServiceSettings
    let work: MediaWork

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
        let limits = AudioLimits(seconds: settings.maxSeconds, values: settings.maxBytes / 4)
        // Wrong options are refused before the body is read.
        let options = try asked.options(format, limits: limits)
        _ = try LevelsPipeline(options)
        let upload = Upload(noun: "audio", maxBytes: settings.maxBytes, seconds: settings.uploadSeconds)
        try work.queue.check(context.client)
        let reserved = try upload.reserve(for: request, of: context.client, in: work.queue)
        defer { withExtendedLifetime(reserved) {} }
        let result = try work.queue.reserve(0, for: context.client)
        let levels = try await ClientPresence.required(on: context.channel) {
            let audio = try await reserved.receive(request.body)
            return try await work.measure(
                audio, options, maxBytes: settings.maxBytes, result: result, for: context.client)
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

extension LevelsOptions {
    /// What drawings take, in bytes: four for each pixel of a PNG, and its file.
    var drawingBytes: Int {
        outputs.reduce(0) { sum, output in
            if case .plot(let plot, .png, _, _) = output { sum + 5 * plot.size.pixels } else { sum }
        }
    }
}
