internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import WayreelCore
internal import WayreelImage

/// Captures that are uploaded and come back prepared: `POST /v1/captures?screen=…&recipe=…`, with the image as the body
/// or as the file of a form (`multipart/form-data`).
struct CaptureRoutes: Sendable {
    let settings: ServiceSettings
    let resolver: OptionResolver
    let work: MediaWork
    let files: StorageWork
    /// nil: every request waits for its image.
    let jobs: JobRoutes?

    func answer(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (options, download) = try await files.run { () throws -> (CaptureOptions, String?) in
            try self.options(of: request)
        }
        let jobs = Preference.isStated(Preference.respondAsync, in: request.headers) ? jobs : nil
        if let jobs {
            try jobs.queue.check(bytes: upload.declaredBytes(of: request) ?? 0, of: context.client)
        } else {
            try work.queue.check(context.client)
        }
        // Refuses a large body before it is read.
        let boundary = try request.headers[.contentType].flatMap { try MultipartForm.boundary($0) }
        let reserved = try upload.reserve(for: request, of: context.client, in: work.queue, boundary: boundary)
        defer { withExtendedLifetime(reserved) {} }
        if let jobs {
            let media = try await reserved.receive(request.body)
            return try await jobs.add(
                JobPayload(capture: options, disposition: download), media, request, of: context.client)
        }
        // Stops the work if the client disconnects.
        let image = try await ClientPresence.required(on: context.channel) {
            let media = try await reserved.receive(request.body)
            return try await work.prepare(options, for: context.client) { media }
        }
        var headers: HTTPFields = [
            .contentType: options.encoding.format.mediaType, .cacheControl: "no-store",
        ]
        headers[.contentDisposition] = download
        return try Response(
            HeldBytes(image.bytes, in: reserved.memory, of: work.queue), headers, to: request)
    }

    /// Blocks.
    private func options(of request: Request) throws -> (CaptureOptions, download: String?) {
        var options = ImageOptions()
        for field in try QueryFields(of: request) { try options.set(field.name, field.value) }
        guard options.expiry == nil else { throw Problem.badRequest("'expires' belongs into addresses") }
        try resolver.authorize(options, example: "recipe=NAME")
        let resolved = try resolver.captureOptions(options, accept: request.headers[.accept], isSigned: false)
        return (resolved.options, options.disposition)
    }

    private var upload: Upload { Upload(imageWithin: settings) }
}
