import Testing
import WayreelDrawing

@Suite struct LabelPositionTests {
    private func find(
        upper: [(x: Double, y: Double)], lower: [(x: Double, y: Double)], width: Double = 100, height: Double = 18
    ) -> LabelPosition? { LabelPosition(between: upper, and: lower, width: width, height: height) }

    @Test func aWordStandsInTheMiddleOfALevelBand() throws {
        let position = try #require(find(upper: [(10, 20), (610, 20)], lower: [(10, 80), (610, 80)]))
        #expect(abs(position.x - 310) <= 2 && position.y == 50)
    }

    /// A band 60 pixels thick that rises by 200 over 600: a word of 100 pixels leaves 60 − 100 / 3 of the thickness.
    @Test func aSlopingBandHasRoomToo() throws {
        let position = try #require(find(upper: [(0, 240), (600, 40)], lower: [(0, 300), (600, 100)]))
        let middle = 270 - position.x / 3
        #expect(abs(position.y - middle) < 2 && position.x >= 50 && position.x <= 550)
        #expect(find(upper: [(0, 240), (600, 40)], lower: [(0, 300), (600, 100)], height: 28) == nil)
    }

    @Test func theRoomiestPartIsTaken() throws {
        let upper = [(x: 0.0, y: 90.0), (x: 400, y: 90), (x: 400, y: 20), (x: 600, y: 20)]
        let position = try #require(find(upper: upper, lower: [(0, 100), (600, 100)]))
        #expect(abs(position.x - 500) <= 3 && position.y == 60)
    }

    @Test(arguments: [(700.0, 10.0), (100, 61)]) func dropsLabelsThatDoNotFit(_ width: Double, _ height: Double) {
        #expect(find(upper: [(0, 20), (600, 20)], lower: [(0, 80), (600, 80)], width: width, height: height) == nil)
    }
}
