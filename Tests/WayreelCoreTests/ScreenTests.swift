import TestSupport
import Testing
import WayreelCore

@Suite struct ScreenTests {
    /// Sizes from the manufacturers' specifications.
    @Test(arguments: [
        ("iphone-3gs", 320, 480), ("iphone-4s", 640, 960), ("iphone-5", 640, 1136), ("iphone-6-plus", 1080, 1920),
        ("iphone-x", 1125, 2436), ("iphone-15", 1179, 2556), ("iphone-17-pro-max", 1320, 2868),
        ("ipad-mini-6", 1488, 2266), ("pixel-8-pro", 1344, 2992), ("galaxy-s24-ultra", 1440, 3120),
        ("kindle-scribe-1", 1860, 2480), ("1080p", 1920, 1080), ("4k", 3840, 2160), ("square-1080", 1080, 1080),
    ])
    func isAsPublished(name: String, width: Int, height: Int) throws {
        #expect(try Screen(parsing: name).size == PixelSize(width: width, height: height))
    }

    @Test func everyRowOfTheTableIsAScreen() throws {
        let file = try Fixture.bytes("\(Fixture.root)/Filters/screens.csv")
        #expect(file == Array(Presets.screens), "the table is not the file's: build again")
        let rows = file.split(separator: UInt8(ascii: "\n")).dropFirst()
        #expect(Screen.all.count == rows.count && rows.count > 0)
        #expect(Set(Screen.all.map(\.name)).count == rows.count)
        #expect(Set(Screen.all.map(\.label)).count == rows.count)
        let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-.")
        for screen in Screen.all {
            #expect(letters.isSuperset(of: screen.name), "\(screen.name) is not in kebab case")
            #expect(!screen.label.isEmpty)
            #expect(PixelSize(screen.name) == nil)
        }
    }

    @Test(arguments: ["iphone-", "ipad-", "nexus-", "pixel-", "galaxy-", "kindle-", "kobo-"])
    func handheldsStandUpright(prefix: String) {
        let screens = Screen.all.filter { $0.name.hasPrefix(prefix) }
        #expect(!screens.isEmpty)
        #expect(screens.allSatisfy { $0.size.isPortrait })
    }

    @Test(arguments: ["iphone-4s", "iPhone-4S", "iPhone 4S", "iphone_4s"])
    func findsScreensInAnySpelling(text: String) throws {
        let screen = try Screen(parsing: text)
        #expect(screen.name == "iphone-4s")
        #expect(screen.label == "iPhone 4S")
        #expect(screen.description == "iphone-4s: 640×960")
    }

    @Test func parsesASize() throws {
        let screen = try Screen(parsing: "960x640")
        #expect(screen.size == PixelSize(width: 960, height: 640))
        #expect(screen.name == "960x640")
    }

    @Test(arguments: [
        ("iphne-4s", "screen: unknown screen 'iphne-4s'; did you mean 'iphone-4s'?"),
        ("", "screen: unknown screen ''; use WIDTHxHEIGHT, or a name from Screen.all"),
        ("toaster", "screen: unknown screen 'toaster'; use WIDTHxHEIGHT, or a name from Screen.all"),
        ("0x5", "screen: '0x5' is not a size; write WIDTHxHEIGHT, WIDTHx or xHEIGHT, each from 1 to 1000000"),
        ("960", "screen: '960' is not a size; write WIDTHxHEIGHT, WIDTHx or xHEIGHT, each from 1 to 1000000"),
        ("960x-640", "screen: '960x-640' is not a size; write WIDTHxHEIGHT, WIDTHx or xHEIGHT, each from 1 to 1000000"),
        (
            "960x640x2",
            "screen: '960x640x2' is not a size; write WIDTHxHEIGHT, WIDTHx or xHEIGHT, each from 1 to 1000000"
        ),
        ("a\u{0}b", "screen: unknown screen 'a\\0b'; use WIDTHxHEIGHT, or a name from Screen.all"),
    ])
    func refuses(text: String, message: String) {
        let error = #expect(throws: MediaError.self) { try Screen(parsing: text) }
        #expect(error?.kind == .parameter)
        #expect(error?.description == message)
    }
}
