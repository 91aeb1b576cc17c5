import Foundation
import TestSupport
import Testing
import WayreelDocument
import WayreelPages
import WayreelService

/// Routes, the OpenAPI document and Documentation/service.md say the same.
@Suite struct DescriptionTests {
    private static func lines() throws -> [String] {
        let bytes = try Fixture.bytes("\(Fixture.root)/Documentation/service.md")
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
    }

    /// A service with all that can be there.
    private static func service(_ folder: String) throws -> Service {
        for name in ["images", "stories"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        let keys = "\(folder)/keys.txt"
        try Data("p:\(String(repeating: "ab", count: 32))\n".utf8).write(to: URL(filePath: keys))
        return try Service(
            try ServiceSettings.load(
                file: nil, environment: [:],
                flags: [
                    ("images", "\(folder)/images"), ("stories", "\(folder)/stories"), ("data", "\(folder)/data"),
                    ("player-keys", keys), ("public-url", "https://stories.example.org"),
                    ("oidc-issuer", "https://login.example.org"), ("oidc-client-id", "wayreel"),
                ]))
    }

    /// `GET /v1/jobs/{job}` for each operation of the document.
    private static func operations(_ service: Service) throws -> Set<String> {
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(try service.openAPI())) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        return Set(paths.flatMap { path, item in item.keys.map { "\($0.uppercased()) \(path)" } })
    }

    /// `GET /v1/jobs/{job}` for each request of the table that begins the page.
    private static func documented() throws -> Set<String> {
        let table = try lines().drop { !$0.hasPrefix("| Request |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
        return Set(
            table.flatMap { row -> [String] in
                let cell = row.split(separator: "|")[0]
                let words = cell.split { " `,".contains($0) }.map(String.init)
                let methods = words.filter { $0.allSatisfy(\.isUppercase) }
                return words.filter { $0.hasPrefix("/") }.flatMap { path in methods.map { "\($0) \(path)" } }
            })
    }

    /// What a browser is shown, which the document does not describe.
    private static let pages: Set = ["GET /", "GET /player.json", "GET /api", "GET /streams", "GET /sensors"]

    @Test func documentsEveryRequest() throws {
        try Fixture.withFolder { folder in
            let service = try Self.service(folder)
            #expect(try Self.documented() == Self.operations(service).union(Self.pages))
        }
    }

    @Test func describesEveryRoute() throws {
        let (routes, described) = try Fixture.withFolder { folder in
            let service = try Self.service(folder)
            return (service.routes, try Self.operations(service).union(Self.pages))
        }
        let files = Set(
            try FileManager.default.subpathsOfDirectory(atPath: "\(Fixture.root)/Player").map { "GET /\($0)" }
        ).union(PageFile.player.map { "GET /\($0.path)" }).subtracting(Self.pages)
        let requests = routes.filter { route in
            !files.contains(route) && !["GET /api/", "GET /streams/"].contains { route.hasPrefix($0) }
        }
        #expect(Self.undescribed(requests, described).isEmpty)
        #expect(Self.unrouted(described, requests).isEmpty)
    }

    /// A part of JSON is no JSON: 206 has no schema.
    @Test func everyBodyOfJSONHasASchema() throws {
        let text = try Fixture.withFolder { try Self.service($0).openAPI() }
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
        let schemas = try #require((document["components"] as? [String: Any])?["schemas"] as? [String: Any])
        var bodies = 0
        func check(_ value: Any, _ place: String) {
            for (index, item) in (value as? [Any] ?? []).enumerated() { check(item, "\(place)/\(index)") }
            for (key, member) in value as? [String: Any] ?? [:] {
                if key == "$ref" {
                    let names = ((member as? String) ?? "").split(separator: "/")
                    #expect(names.starts(with: ["#", "components", "schemas"]), "\(place): \(member)")
                    #expect(names.count > 3 && schemas[String(names[3])] != nil, "\(place): \(member)")
                }
                if key == "application/json" || key == "application/problem+json", !place.hasSuffix("/206/content") {
                    #expect((member as? [String: Any])?["schema"] != nil, "\(place)")
                    bodies += 1
                }
                check(member, "\(place)/\(key)")
            }
        }
        check(document, "")
        #expect(bodies > 300)
    }

    private static func undescribed(_ routes: [String], _ described: Set<String>) -> [String] {
        routes.filter { route in !described.contains { matches($0, route) } }
    }

    private static func unrouted(_ described: Set<String>, _ routes: [String]) -> [String] {
        described.filter { operation in !routes.contains { matches(operation, $0) } }.sorted()
    }

    /// Whether an operation is one of a route, in which `{job}` is a part of any name, `story.{language}` one that begins so,
    /// and `**` any number of parts.
    private static func matches(_ operation: String, _ route: String) -> Bool {
        let (parts, pattern) = (operation.split(separator: "/"), route.split(separator: "/"))
        let isOpen = pattern.last == "**"
        let fixed = isOpen ? pattern.dropLast() : pattern[...]
        guard isOpen ? parts.count > fixed.count : parts.count == fixed.count else { return false }
        return zip(parts, fixed).allSatisfy { part, wanted in
            let names = (
                part.split(separator: "{", maxSplits: 1, omittingEmptySubsequences: false),
                wanted.split(separator: "{", maxSplits: 1, omittingEmptySubsequences: false)
            )
            return part == wanted || names.0.count == 2 && names.1.count == 2 && names.0[0] == names.1[0]
        }
    }

    /// Each setting is in the page and in the command's help; the page's tables name no others.
    @Test func documentsEverySetting() throws {
        let lines = try Self.lines()
        let text = lines.joined(separator: "\n")
        let options = try Fixture.bytes("\(Fixture.root)/Sources/WayreelStoryCLI/ServeCommand.swift")
        let command = String(decoding: options, as: UTF8.self)
        let keys = ServiceSettings.table.map(\.key)
        #expect(Set(keys).count == keys.count)
        let flags = Set(
            text.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) })
        for key in keys {
            #expect(flags.contains(key), "--\(key) is not in Documentation/service.md")
            #expect(command.contains("(\"\(key)\", "), "--\(key) is no flag of wayreel serve")
        }
        for row in lines where row.hasPrefix("| `--") {
            let words = row.split(separator: "|")[0].split { !$0.isLetter && $0 != "-" }
            for word in words where word.hasPrefix("--") {
                #expect(keys.contains(String(word.dropFirst(2))), "there is no \(word)")
            }
        }
    }
}
