internal import Crypto
internal import FoundationEssentials
internal import HTTPTypes
internal import Hummingbird
internal import WayreelCore
internal import WayreelImage
internal import WayreelVideo

/// `POST /v1/transcodes`, and the routes of all jobs: `/v1/jobs/{id}`, its events and its result.
struct JobRoutes: Sendable {
    let settings: ServiceSettings
    let queue: JobQueue
    let recipes: RecipeFolder
    let files: StorageWork
    /// The streams of events that are open.
    let streams: Allowance

    /// Seconds between heartbeats of an event stream, so that no proxy closes it as idle.
    private var heartbeat: Double { min(15, settings.idleSeconds / 2) }

    /// The bytes of an upload that have to arrive within each `--upload-seconds`.
    private static let pieceBytes = 1 << 20

    // MARK: Creating

    func transcode(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let payload = try await files.run { () throws -> JobPayload in try self.payload(request) }
        guard request.headers[.contentType]?.lowercased().hasPrefix("multipart/") != true else {
            throw Problem(
                .unsupportedMediaType, code: "form", "Videos are not sent in forms",
                detail: "send the video itself as the body")
        }
        let upload = Upload(
            noun: "video", maxBytes: settings.maxVideoBytes, seconds: settings.uploadSeconds,
            secondBytes: Self.pieceBytes)
        let declared = try upload.declaredBytes(of: request)
        let job = try await queue.add(payload, bytes: declared, of: context.client) { piece in
            _ = try await upload.read(request.body, piece)
        }
        return accepted(job, request)
    }

    /// The options of a request. Blocks.
    private func payload(_ request: Request) throws -> JobPayload {
        let asked = try TranscodeRequest.settings.read(request.uri.query ?? "", into: TranscodeRequest())
        guard !settings.recipesOnly || !asked.isFree else { throw OptionResolver.onlyRecipes(example: "recipe=NAME") }
        let recipe = try asked.recipe.map { (name) throws(MediaError) in try recipes.recipe(name) } ?? Recipe()
        var limits = VideoLimits.standard
        limits.seconds = settings.maxTranscodeSeconds
        return JobPayload(
            transcode: try asked.options(over: recipe, limits: limits),
            disposition: asked.download.map(ContentDisposition.attachment))
    }

    /// Adds a job for an upload in memory.
    func add(
        _ payload: JobPayload, _ bytes: MediaBytes, _ request: Request, of client: Client
    ) async throws -> Response {
        let job = try await queue.add(payload, bytes: bytes.count, of: client) { piece in
            for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
                let part = bytes.buffer[start..<min(start + Self.pieceBytes, bytes.count)]
                try await piece(ByteBuffer(bytes: part))
            }
        }
        return accepted(job, request)
    }

    private func accepted(_ job: Job, _ request: Request) -> Response {
        var response = answer(job, progress: 0, .accepted)
        response.headers[.location] = "/v1/jobs/\(job.id)"
        if Preference.isStated(Preference.respondAsync, in: request.headers) {
            response.headers[Preference.applied] = Preference.respondAsync
        }
        return response
    }

    // MARK: Reading

    func job(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (job, progress) = try status(context)
        return answer(job, progress: progress, .ok)
    }

    func delete(_ request: Request, _ context: some RequestContext) async throws -> Response {
        guard try await queue.delete(try context.parameters.require("job")) else { throw Self.unknown }
        return Response(status: .noContent)
    }

    /// The one file of a result. That of HLS is a folder: the answer leads to its playlist, beside which the other
    /// files are.
    func result(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let job = try ended(context)
        if let playlist = job.payload.playlist {
            return Response(status: .temporaryRedirect, headers: [.location: "/v1/jobs/\(job.id)/result/\(playlist)"])
        }
        var headers: HTTPFields = [.contentType: job.payload.resultType]
        headers[.contentDisposition] = job.payload.disposition
        return try await file(queue.folder.result(job.id), of: job, headers, request, context)
    }

    /// A file of a result: of HLS, or a poster.
    func resultFile(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let job = try ended(context)
        let parts = context.parameters.getCatchAll().map { PercentEncoding.decode($0) }
        guard parts.allSatisfy({ $0.map { !$0.contains("/") } ?? false }) else {
            throw Problem.badRequest("the path is not percent-encoded UTF-8")
        }
        let name = parts.compactMap(\.self).joined(separator: "/")
        guard let path = queue.folder.resultFile(job.id, name, job.payload) else {
            throw Problem.notFound("the result has no such file")
        }
        return try await file(path, of: job, [.contentType: MediaType.of(name)], request, context)
    }

    private func file(
        _ path: String, of job: Job, _ fields: HTTPFields, _ request: Request, _ context: some RequestContext
    ) async throws -> Response {
        let tag = EntityTag(SHA256.hash(data: Data("\(path) \(job.ended ?? 0)".utf8)).hexadecimal)
        var headers: HTTPFields = [.eTag: tag.text, .cacheControl: "private, no-cache"]
        if tag.matches(ifNoneMatch: request.headers[.ifNoneMatch]) {
            return Response(status: .notModified, headers: headers)
        }
        for field in fields { headers.append(field) }
        let count = try await files.run { () throws -> Int in
            guard let count = RegularFile.byteCount(path) else { throw Problem.notFound("the result has no such file") }
            return count
        }
        return try await Response(file: path, count: count, headers, to: request, context)
    }

    /// Throws a ``Problem`` for a job without a result.
    private func ended(_ context: some RequestContext) throws -> Job {
        let (job, _) = try status(context)
        guard job.state == .done, job.resultBytes != nil else {
            throw Problem(
                .conflict, code: "no-result", "The job has no result", detail: "it is \(job.state.rawValue)",
                retryAfter: job.state.isEnded ? nil : 1)
        }
        return job
    }

    /// Answers with server-sent events: one for each change, the last one when the job has ended.
    func events(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let id = try status(context).job.id
        let place = try streams.admit(context.client, seconds: 5) { .followedJobs($0) }
        let (queue, heartbeat) = (queue, heartbeat)
        let body = ResponseBody { writer in
            defer { withExtendedLifetime(place) {} }
            var last = ""
            for await _ in queue.changes(of: id, every: heartbeat) {
                guard let (job, progress) = queue.status(id) else { break }
                let json = job.json(progress: progress, keptFor: queue.keptSeconds)
                // A browser that reconnects needs no `Last-Event-ID`: the first event has the whole state.
                let event = "event: \(job.state.rawValue)\nid: \(progress)\ndata: \(json)\n\n"
                try await writer.write(ByteBuffer(string: event == last ? ": heartbeat\n\n" : event))
                last = event
                if job.state.isEnded || queue.isStopping { break }
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store",
                HTTPField.Name("X-Accel-Buffering")!: "no",
            ], body: body)
    }

    private func status(_ context: some RequestContext) throws -> (job: Job, progress: Double) {
        guard let status = queue.status(try context.parameters.require("job")) else { throw Self.unknown }
        return status
    }

    private static var unknown: Problem { .notFound("there is no such job, or it has expired") }

    private func answer(_ job: Job, progress: Double, _ status: HTTPResponse.Status) -> Response {
        let json = job.json(progress: progress, keptFor: settings.jobSeconds)
        return Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: json + "\n")))
    }
}
