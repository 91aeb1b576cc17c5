import TestSupport
import Testing
import Wayreel

private func walk(through story: Story, from position: GeoPoint, found: Set<String>, path: String) throws -> RouteAhead
{
    let walk = try SyntheticWalk(through: story, WalkOptions(sensor: SensorOptions(noise: 8, outliers: 0.02, seed: 1)))
    try OutputFile.write(Array(walk.track.gpx().utf8), to: path)

    // What a view shows at each fix: the nearest events, arrows to those outside of it, and what to load next.
    let surroundings = Surroundings(of: story.chapters)
    for point in try Track.read(path: path).points {
        let nearest = surroundings.nearest(3, to: point.position, found: found, heading: point.course)
        let arrows = surroundings.arrows(3, beyond: 150, from: point.position, heading: 0, found: found)
        let next = surroundings.prefetchOrder(5, from: point.position, course: point.course, found: found)
        print(nearest.map(\.fade), arrows.map(\.turn), next.map(\.event))
    }

    let ahead = RouteAhead(
        along: try RouteLine(walk.path), from: position, course: 340, events: story.chapters.flatMap(\.events))
    for pass in ahead.events { print(pass.event, pass.distance, pass.beside, pass.side) }
    return ahead
}

/// The example of Documentation/walks.md.
@Suite struct WalkExampleTests {
    @Test func theDocumentationsExampleRuns() throws {
        let story = try #require(try StoryDocument.read(path: Fixture.media("story/story.xml")).story)
        let folder = TemporaryFolder()
        let path = "\(folder.path)/walk.gpx"
        let start = GeoPoint(latitude: 35.28057, longitude: -120.66403)
        let ahead = try walk(through: story, from: start, found: ["arbor"], path: path)
        #expect(ahead.events.count + ahead.behind.count == 10)
        #expect(Fixture.listing(folder.path) == ["walk.gpx"])
    }
}
