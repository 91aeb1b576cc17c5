import HTTPTypes
import TestSupport
import Testing

/// Uploads as bodies and as forms, and what is refused of them.
struct UploadTests {
    private static let image = PNGFile.black(width: 16, height: 12)
    private static let type = "multipart/form-data; boundary=\"a b\""

    private static func form(_ file: [UInt8], disposition: String = "form-data; name=\"f\"; filename=\"a.png\"")
        -> [UInt8]
    {
        Array("--a b\r\nContent-Disposition: form-data; name=\"filename\"\r\n\r\na field\r\n".utf8)
            + Array("--a b\r\nContent-Disposition: \(disposition)\r\nContent-Type: image/png\r\n\r\n".utf8) + file
            + Array("\r\n--a b--\r\n".utf8)
    }

    /// RFC 7578: the file of a form is the content, and its answer that of the same body.
    @Test func aFormIsAsGoodAsItsFile() async throws {
        try await TestService().test { client in
            let plain = try await client.send(.post, "/v1/captures?screen=8x8&format=png", body: Self.image)
            #expect(plain.status == 200 && plain.headers[.contentType] == "image/png")
            #expect(plain.bytes.starts(with: PNGFile.signature))
            let sent = try await client.send(
                .post, "/v1/captures?screen=8x8&format=png", [.contentType: Self.type], body: Self.form(Self.image))
            #expect(sent.status == 200 && sent.bytes == plain.bytes)
        }
    }

    @Test func aFormWithoutAFileIsRefused() async throws {
        try await TestService().test { client in
            func status(_ type: String, _ body: [UInt8]) async throws -> Int {
                try await client.send(.post, "/v1/captures", [.contentType: type], body: body).status
            }
            let file = Self.form(Self.image)
            let field = Self.form(Self.image, disposition: "form-data; name=\"filename\"")
            let long = "multipart/form-data; boundary=\(String(repeating: "x", count: 71))"
            let statuses = [
                try await status(Self.type, field), try await status(Self.type, Array(file.dropLast(12))),
                try await status("multipart/form-data", file), try await status(long, file),
            ]
            #expect(statuses == [400, 400, 400, 400])
            // A mark that combines with the quote before it belongs to the name.
            let marked = Self.form(Self.image, disposition: "form-data; name=\"\u{308}f\"; filename=\"a.png\"")
            #expect(try await status(Self.type, marked) == 200)
            // Another form is not one with files: its body is taken as it is.
            #expect(try await status("multipart/mixed; boundary=\"a b\"", Self.image) == 200)
        }
    }

    /// RFC 9110, sections 15.5.14 and 15.5.16.
    @Test func whatIsTooLargeOrCompressedIsRefused() async throws {
        try await TestService([("max-bytes", "2KB")]).test { client in
            let large = try await client.send(.post, "/v1/captures", body: Array(repeating: 0, count: 2001))
            #expect(large.status == 413 && large.member("detail")?.contains("2000 bytes") == true)
            let fitting = try await client.send(.post, "/v1/captures", body: Self.image)
            #expect(fitting.status == 200)
            let compressed = try await client.send(.post, "/v1/captures", [.contentEncoding: "gzip"], body: Self.image)
            #expect(compressed.status == 415 && compressed.member("code") == "encoding")
            let plain = try await client.send(.post, "/v1/captures", [.contentEncoding: "identity"], body: Self.image)
            #expect(plain.status == 200)
        }
    }

    @Test func wrongOptionsAreRefusedBeforeTheBody() async throws {
        try await TestService().test { client in
            for query in ["screen=0x0", "nonsense=1", "screen=%zz", "quality=101"] {
                let answer = try await client.send(.post, "/v1/captures?\(query)", body: Self.image)
                #expect(answer.status == 400, "\(query)")
            }
            #expect(try await client.send(.post, "/v1/captures", body: []).status == 400)
        }
    }

    /// RFC 9110, section 12.5.1, for images that name no format, and section 12.5.5.
    @Test func theFormatIsNegotiated() async throws {
        let service = try TestService([("images", "FOLDER")], files: ["a.png": Self.image])
        try await service.test { client in
            func type(_ accept: String?) async throws -> String? {
                var fields: HTTPFields = [:]
                fields[.accept] = accept
                let answer = try await client.send(.get, "/v1/images/unsafe/screen:8x8/a.png", fields)
                #expect(answer.header("Vary")?.contains("Accept") == true)
                return answer.headers[.contentType]
            }
            let types = try await [nil, "image/webp,*/*;q=0.8", "image/webp;q=0,*/*"].asyncMap(type)
            #expect(types == ["image/jpeg", "image/webp", "image/jpeg"])
        }
    }

    /// RFC 9110, section 15.5.7: before the audio is read.
    @Test func levelsHaveTheTypesThatThereAre() async throws {
        try await TestService().test { client in
            let answer = try await client.send(.post, "/v1/levels", [.accept: "text/html"], body: [0])
            #expect(answer.status == 406 && answer.member("code") == "not-acceptable")
            #expect(answer.member("detail")?.contains("text/csv") == true)
            #expect(try await client.send(.post, "/v1/levels?rate=x", body: [0]).status == 400)
        }
    }
}
