import Testing
import WayreelEngine
import WayreelStory

/// Sentences of NMEA 0183.
@Suite struct NMEASentenceTests {
    /// The sentence of "NMEA data" by Dale DePriest, which explains its fields: 48° 07.038' N, 11° 31' E, 22.4 knots.
    private static let sentence = "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A"

    @Test(arguments: ["", "\r\n"]) func positionsAreRead(ending: String) throws {
        let fix = try #require(NMEASentence(Self.sentence + ending)?.fix)
        #expect(abs(fix.position.latitude - 48.1173) < 1e-6 && abs(fix.position.longitude - 11.516_667) < 1e-6)
        #expect(fix.timestamp == Timestamp("1994-03-23T12:35:19Z"))
        #expect(fix.course == 84.4)
        // A knot is 1852 metres an hour.
        #expect(abs((fix.speed ?? 0) - 11.5236) < 1e-4)
    }

    @Test func otherSentencesHaveNone() throws {
        // The receiver has no position: the status is V.
        #expect(try #require(NMEASentence("$GPRMC,123519,V,,,,,,,230394,,*33")).fix == nil)
        #expect(
            try #require(NMEASentence("$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47")).fix == nil)
    }

    @Test(arguments: [
        "", "$", "$*", "$GPRMC*", "GPRMC,1*00", String(sentence.dropLast()), String(sentence.dropLast(2)) + "6B",
        sentence.replacing("4807", with: "4808"), "$" + String(repeating: "A", count: 300) + "*00",
    ]) func damagedLinesAreNone(line: String) { #expect(NMEASentence(line) == nil) }
}
