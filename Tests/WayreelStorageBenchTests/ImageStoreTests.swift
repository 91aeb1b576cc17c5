import FoundationEssentials
import Glibc
import TestSupport
import Testing
import WayreelStorageBench
import WayreelCore

@Suite struct ImageStoreTests {
    /// Data of no image format, since stores do not parse it: every byte, an empty image, and one of a page and a byte.
    private static let images = [
        StoredImage(name: "images/every byte \"'.jpg", bytes: Data(0...255)), StoredImage(name: "empty", bytes: Data()),
        StoredImage(name: "ünï.heic", bytes: Data((0..<65_537).map { UInt8(truncatingIfNeeded: $0 &* 31) })),
        StoredImage(name: "images/every byte \"'.jpg", bytes: Data([0])),
    ]

    @Test(arguments: StorageKind.allCases) func imagesComeBackAsTheyWere(_ kind: StorageKind) throws {
        try Fixture.withFolder { folder in
            var store = try kind.open(folder)
            for (count, image) in Self.images.enumerated() {
                try store.add(image)
                #expect(try store.images() == Array(Self.images[...count]))
            }
            // Another connection sees the same images and continues with them.
            var other = try kind.open(folder)
            #expect(try other.images() == Self.images)
            try other.add(Self.images[0])
            #expect(try store.images() == Self.images + [Self.images[0]])
        }
    }

    /// sqlite3 and the files themselves show the location of the bytes.
    @Test func bytesAreWhereTheNameSays() throws {
        try Fixture.withFolder { folder in
            for kind in StorageKind.allCases {
                mkdir("\(folder)/\(kind.rawValue)", 0o755)
                var store = try kind.open("\(folder)/\(kind.rawValue)")
                try store.add(Self.images[0])
            }
            func sqlite(_ database: String, _ query: String) throws -> String {
                let outcome = try Command("/usr/bin/sqlite3", ["\(folder)/\(database)", query]).run()
                #expect(outcome.ending == .exited(0), "\(outcome.errors)")
                return outcome.text.filter { $0 != "\n" }
            }
            let hex = (0...255).map { String($0 + 256, radix: 16, uppercase: true).dropFirst() }.joined()
            #expect(try sqlite("blob/images.sqlite", "SELECT hex(bytes) FROM image") == hex)
            #expect(try sqlite("files/index.sqlite", "SELECT path FROM image") == "1.image")
            #expect(try Fixture.bytes("\(folder)/files/1.image") == Array(0...255))
            let json = String(decoding: try Fixture.bytes("\(folder)/base64/images.json"), as: UTF8.self)
            // RFC 4648: the bytes 0, 1, 2 are AAEC, and 252, 253, 254 with 255 are /P3+/w==.
            #expect(json.contains("\"AAECAwQF") && json.contains("/P3+/w==\""))
            // A finished database has no further files beside it.
            #expect(Fixture.listing("\(folder)/blob") == ["images.sqlite"])
            #expect(Fixture.listing("\(folder)/files") == ["1.image", "index.sqlite"])
        }
    }

    @Test func theBenchmarkHasAllRows() throws {
        let report = try StorageBench(counts: [1, 3], rounds: 3).run(Self.images)
        #expect(report.rows.map(\.images) == [1, 1, 1, 3, 3, 3])
        #expect(report.rows.map(\.kind) == StorageKind.allCases + StorageKind.allCases)
        #expect(report.rows.map(\.bytes) == [256, 256, 256, 65_793, 65_793, 65_793])
        for row in report.rows {
            #expect(row.runs.count == 3)
            #expect(row.runs.allSatisfy { $0.storeMilliseconds > 0 && $0.coldReadMilliseconds > 0 })
            // Base64 has four characters for three bytes.
            #expect(row.runs.allSatisfy { $0.diskBytes >= (row.kind == .base64 ? row.bytes * 4 / 3 : row.bytes) })
        }
    }

    @Test func aFolderThatIsNotThereIsTold() throws {
        for kind in StorageKind.allCases {
            #expect(throws: MediaError.self) {
                var store = try kind.open("/nowhere")
                try store.add(Self.images[0])
            }
        }
    }
}
