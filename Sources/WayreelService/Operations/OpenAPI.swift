internal import Synchronization
internal import WayreelCore
internal import WayreelDocument
internal import WayreelImage
internal import WayreelPages

/// The description of the service for programs: OpenAPI 3.1.
///
/// What it says is data: `Documentation/openapi.yml`, whose first lines describe its form. Here are the parts of the
/// service that it depends on, and the tables of options.
struct OpenAPI {
    /// The parts of the service that answer requests.
    struct Parts {
        /// The names of the parts that there are, as `if` has them.
        var names: Set<String>
        /// The statuses of answers with the fallback image; none without such an image.
        var fallbackStatuses: Set<Int>
    }

    private let parts: Parts
    /// Answers to requests that are refused before they are routed.
    private let everywhere: [OrderedJSON.Member]

    static func document(_ parts: Parts) throws(MediaError) -> String {
        let source = try OrderedJSON.document("openapi.yml")
        let description = OpenAPI(parts: parts, everywhere: source["everywhere"].members)
        let scheme: OrderedJSON = ["player": source["security"]]
        var document = description.document(source)
        document["components"] = [
            "securitySchemes": parts.names.contains("tokens") ? scheme : nil,
            "schemas": .object(try OpenAPISchemas.named(in: document)),
        ]
        return document.json + "\n"
    }

    private func document(_ source: OrderedJSON) -> OrderedJSON {
        let groups = source["groups"].items.filter(holds)
        let paths = groups.flatMap { group in
            group["paths"].members.compactMap { path, operations -> OrderedJSON.Member? in
                let members = operations.members.filter { holds($0.value) }.map { method, operation in
                    OrderedJSON.Member(method, self.operation(operation, method, path, of: group))
                }
                return members.isEmpty ? nil : OrderedJSON.Member(path, .object(members))
            }
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Wayreel", "version": .text(WayreelVersion.text), "description": source["about"],
                "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
            ],
            "tags": .array(groups.map { ["name": $0["tag"], "description": $0["description"]] }),
            "paths": .object(paths),
        ]
    }

    /// Whether the service has the part that `if` names.
    private func holds(_ value: OrderedJSON) -> Bool {
        guard let condition = value["if"].text else { return true }
        let part = condition.hasPrefix("not ") ? String(condition.dropFirst(4)) : condition
        return (parts.names.contains(part)) == (part == condition)
    }

    // MARK: Operations

    private func operation(
        _ source: OrderedJSON, _ method: String, _ path: String, of group: OrderedJSON
    ) -> OrderedJSON {
        let components = path.split { !$0.isLetter && !$0.isNumber }.filter { $0 != "v1" }
        let needsToken = (source["tokens"] ?? group["tokens"]) != nil && parts.names.contains("tokens")
        return [
            "operationId": .text(([method[...]] + components).joined(separator: "-")),
            "tags": group["tag"].map { [$0] }, "summary": source["summary"], "description": source["description"],
            "security": needsToken ? [["player": []]] : nil,
            "parameters": .array(source["parameters"].joinedItems.filter(holds).flatMap(parameters)),
            "requestBody": requestBody(source["requestBody"]), "responses": .object(responses(source["responses"])),
        ]
    }

    private func requestBody(_ source: OrderedJSON?) -> OrderedJSON? {
        guard let name = source["schema"].text else { return source }
        return ["required": true, "content": Self.json(name)]
    }

    // MARK: Parameters

    private func parameters(_ source: OrderedJSON) -> [OrderedJSON] {
        if let table = source["options"].text {
            let (without, only) = (source["without"].items, source["only"].items)
            return Self.options(table).filter { option in
                let key = OrderedJSON.text(option.key)
                return !without.contains(key) && (only.isEmpty || only.contains(key))
            }.map(\.parameter)
        }
        let places = ["path", "query", "header"]
        guard let place = places.first(where: { source[$0] != nil }), let name = source[place] else { return [] }
        let schema: OrderedJSON =
            source["schema"] ?? ["type": "string", "examples": source["example"].map { [$0] }]
        let isRequired = place == "path" || source["required"] != nil
        return [
            [
                "name": name, "in": .text(place), "required": .literal("\(isRequired)"),
                "description": source["description"], "schema": schema, "x-slashes": source["slashes"],
                // The page of the API has a field for each part of the value: `name:value/name:value`.
                "x-parts": source["parts"].text.map { .array(Self.options($0).map(\.parameter)) },
            ]
        ]
    }

    /// The options of a table of the program, as parameters of a query.
    private static func options(_ table: String) -> [(key: String, parameter: OrderedJSON)] {
        let options: [OptionDescription] =
            switch table {
            case "image": ImageOptions.settings
            case "levels": LevelsRequest.settings.map { OptionDescription($0) }
            case "live": LiveLevelsOptions.settings.map { OptionDescription($0) }
            case "transcode": TranscodeRequest.settings.map { OptionDescription($0) }
            default: []
            }
        let defaults = table == "live" ? liveDefaults : [:]
        return options.map { option in
            var schema = schema(option)
            schema["default"] = defaults[option.key]
            return (
                option.key,
                [
                    "name": .text(option.key), "in": "query", "required": false,
                    "description": .text(option.expectation),
                    "schema": option.isRepeatable ? ["type": "array", "items": schema] : schema,
                ]
            )
        }
    }

    private static var liveDefaults: [String: OrderedJSON] {
        let options = LiveLevelsOptions()
        return [
            "sample-rate": .literal("\(options.sampleRate)"), "channels": .literal("\(options.channelCount)"),
            "format": .text(options.format.rawValue), "rate": .text("\(options.rate)"),
        ]
    }

    private static func schema(_ option: OptionDescription) -> OrderedJSON {
        func list(_ values: [String]) -> OrderedJSON { .array(values.map { .text($0) }) }
        func range(_ type: OrderedJSON, _ low: some Any, _ high: some Any) -> OrderedJSON {
            ["type": type, "minimum": .literal("\(low)"), "maximum": .literal("\(high)")]
        }
        return switch option.values {
        case .text:
            ["type": "string", "examples": option.suggestions.isEmpty ? nil : list(option.suggestions)]
        case .boolean: ["type": "boolean"]
        case .choice(let values): ["type": "string", "enum": list(values)]
        case .number(let values): range("number", values.lowerBound, values.upperBound)
        case .integer(let values): range("integer", values.lowerBound, values.upperBound)
        }
    }

    // MARK: Answers

    /// The answers by their status, of which the first one counts.
    private func responses(_ source: OrderedJSON?) -> [OrderedJSON.Member] {
        let sources = source.items.isEmpty ? [source ?? [:]] : source.joinedItems.filter(holds)
        let all = sources.flatMap(\.members).filter { $0.key != "if" }.flatMap { status, answer in
            switch status {
            case "ranged": ranged(answer)
            case "fallback": fallback(answer)
            default: [OrderedJSON.Member(status, self.answer(status, answer))]
            }
        }
        var seen: Set<String> = []
        return (all + everywhere.map { ($0.key, answer($0.key, $0.value)) }).filter { seen.insert($0.key).inserted }
    }

    private func answer(_ status: String, _ source: OrderedJSON) -> OrderedJSON {
        guard case .text = source else {
            return ["description": source["description"], "content": content(source)]
        }
        return ["description": source, "content": status >= "400" ? Self.problem : nil]
    }

    /// The answers with content that supports ranges. A part of JSON is no JSON, and has no schema.
    private func ranged(_ source: OrderedJSON) -> [OrderedJSON.Member] {
        let types = content(source).members.map { OrderedJSON.Member($0.key, [:]) }
        return [
            ("200", answer("200", source)), ("206", ["description": "a part of it", "content": .object(types)]),
            ("416", answer("416", "the requested range is outside the content")),
        ]
    }

    private func fallback(_ source: OrderedJSON) -> [OrderedJSON.Member] {
        let types = Self.types("images") + Self.problem.members
        return parts.fallbackStatuses.subtracting([200]).sorted().map {
            ("\($0)", ["description": source, "content": .object(types)])
        }
    }

    /// The types of the body: those that are named, of which JSON has the schema.
    private func content(_ source: OrderedJSON) -> OrderedJSON {
        let schema = source["schema"].text.map { Self.json($0) }.members
        let lists = source["types"].text.map { Self.types($0) } ?? []
        let named = source["types"].items.compactMap(\.text).map { OrderedJSON.Member($0 == "any" ? "*/*" : $0, [:]) }
        let others = (lists + named).filter { type in !schema.contains { $0.key == type.key } }
        return .object(schema + others)
    }

    /// A list of the program.
    private static func types(_ list: String) -> [OrderedJSON.Member] {
        let names =
            switch list {
            case "images": FormatNegotiation.mediaTypes
            case "levels": LevelsRoutes.mediaTypes
            case "results": ["video/mp4", "audio/mp4"] + FormatNegotiation.mediaTypes
            default: [String]()
            }
        return names.map { ($0, [:]) }
    }

    private static func json(_ schema: String) -> OrderedJSON {
        ["application/json": ["schema": OpenAPISchemas.reference(schema)]]
    }

    private static let problem: OrderedJSON = [
        "application/problem+json": ["schema": OpenAPISchemas.reference("Problem")]
    ]
}

/// The description of a service. It is made when it is asked for first: that takes 20 ms and libyaml, without which a
/// service starts, too.
final class ServiceDescription: Sendable {
    private let parts: OpenAPI.Parts
    private let known = Mutex<[UInt8]?>(nil)

    init(_ parts: OpenAPI.Parts) { self.parts = parts }

    /// JSON in UTF-8. Blocks.
    func text() throws(MediaError) -> [UInt8] {
        try known.withLock { (known) throws(MediaError) in
            if let known { return known }
            let text = Array(try OpenAPI.document(parts).utf8)
            known = text
            return text
        }
    }
}
