import TestSupport
import Testing
import Wayreel

private func look(at path: String) async throws -> Int {
    let list = try await WorkPool.shared.run { (_) throws(MediaError) in try PlaceList.read(path: path) }
    let index = PlaceIndex(list.places)
    let here = GeoPoint(latitude: 48.4106, longitude: 15.6035)
    for found in index.search(PlaceQuery("cafe", near: here, radius: 500)) {
        print(found.place.title(in: "de"), found.distance, found.bearing)
    }
    let hours = OpeningHours("Mo-Fr 09:00-18:00; Sa 09:00-13:00; PH off")
    print(hours?.status(at: LocalMinute("2026-11-27T14:05")!).state == .open)
    return index.search(PlaceQuery("cafe", near: here, radius: 500)).count
}

/// The example of Documentation/places.md.
@Suite struct PlaceExampleTests {
    /// Krems has six cafés within 500 m, as osmium-tool and PyPI geographiclib say.
    @Test func theDocumentationsExampleRuns() async throws {
        #expect(try await look(at: Fixture.media("maps/krems.osm.pbf")) >= 6)
    }
}
