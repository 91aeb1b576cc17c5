internal import Wayreel
internal import WayreelCore

/// The time of searches among 60,000 generated places.
enum PlaceCost {
    private static let count = 60_000
    private static let rounds = 2000
    private static let center = GeoPoint(latitude: 48.4106, longitude: 15.6035)

    static func report() -> String {
        var random = Random(generator: SeededGenerator(seed: 45))
        let places = places(&random)
        let before = ProcessMemory.residentBytes(of: "self") ?? 0
        var index = PlaceIndex([])
        let building = seconds { index = PlaceIndex(places) }
        let bytes = (ProcessMemory.residentBytes(of: "self") ?? before) - before
        let searches: [(name: String, text: (Int) -> String, kinds: Set<String>)] = [
            ("a word of a name, whole", { words[$0 % words.count] + words[$0 * 7 % words.count] }, []),
            ("three letters", { String(words[$0 % words.count].prefix(3)) }, []),
            ("one letter", { String(words[$0 % words.count].prefix(1)) }, []),
            ("two beginnings", { "\(words[$0 % words.count].prefix(2)) \(words[$0 * 3 % words.count].prefix(2))" }, []),
            ("a name of a kind", { PlaceKind.all[$0 % PlaceKind.all.count].names["de"] ?? "" }, []),
            ("a kind", { _ in "" }, ["cafe"]),
            ("a beginning and a kind", { String(words[$0 % words.count].prefix(2)) }, ["cafe"]),
            ("all places", { _ in "" }, []),
        ]
        var rows = [["what is looked for", "median ms", "99 % ms", "most ms"]]
        for search in searches {
            let times = (0..<rounds).map { round in
                let query = PlaceQuery(search.text(round), kinds: search.kinds, near: near(center, 0.1, &random))
                return Clock.milliseconds(seconds { precondition(index.search(query).count <= 20) })
            }
            rows.append([
                search.name, percentile(50, of: times).formatted(3), percentile(99, of: times).formatted(3),
                (times.max() ?? 0).formatted(3),
            ])
        }
        return """
            ### Places: \(count.grouped) generated ones, the 20 nearest, \(rounds.grouped) searches of each kind, CPU time

            \(table(rows))

            The index is made in \((building * 1000).formatted(0)) ms and takes \((Double(bytes) / 1e6).formatted(1)) MB \
            beside its places.

            """
    }

    private struct Random: RandomNumberGenerator {
        var generator: SeededGenerator

        mutating func next() -> UInt64 { generator.next() }
    }

    private static let words = [
        "adler", "bach", "café", "donau", "egger", "fürst", "gozzo", "hafner", "insel", "jäger", "krone", "linde",
        "müller",
        "nager", "ochsen", "pfarr", "quelle", "rathaus", "sonne", "täglich", "ufer", "vogel", "wachau", "zum", "älter",
        "burger", "stein", "hof", "markt", "gasse", "platz", "blau", "rot", "grün", "alt", "neu",
    ]

    /// Places with names of one to three words, of which some are compounds, around a town.
    private static func places(_ random: inout Random) -> [Place] {
        (0..<count).map { number in
            let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                let first = words.randomElement(using: &random) ?? ""
                return Bool.random(using: &random) ? first : first + (words.randomElement(using: &random) ?? "")
            }
            return Place(
                id: "\(number)", name: parts.joined(separator: " ") + " \(Int.random(in: 1...500, using: &random))",
                kind: PlaceKind.all.randomElement(using: &random)?.id, position: near(center, 0.3, &random))
        }
    }

    private static func near(_ point: GeoPoint, _ degrees: Double, _ random: inout Random) -> GeoPoint {
        GeoPoint(
            latitude: point.latitude + .random(in: -degrees...degrees, using: &random),
            longitude: point.longitude + .random(in: -degrees...degrees, using: &random))
    }
}
