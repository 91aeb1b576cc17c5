import Testing
import WayreelStreams

@Suite struct RecordingTimeTextTests {
    @Test(arguments: [
        ("2", 2), ("2s", 2), ("500ms", 0.5), ("1:30", 90), ("1:02:03.5", 3723.5), ("2min", 120), ("1.5h", 5400),
        ("1d", 86_400), ("250us", 250e-6), ("250µs", 250e-6), ("-2s", -2), ("-1:30", -90), (".5", 0.5),
    ]) func lengths(text: String, seconds: Double) {
        #expect(RecordingTimeText.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "s", "-", "--2", "2x", "1:60", "1:-3", "1::2", "1:2:3:4", "nan", "inf", "1e300", "2 s", "-1:-3", "1:nan",
    ]) func others(text: String) { #expect(RecordingTimeText.seconds(text) == nil) }

    /// A pattern with many stars takes no longer than others.
    @Test func patternsOfChannels() {
        let channel = SensorChannel("ecg", String(repeating: "a", count: 64))
        #expect(!channel.matches(String(repeating: "*a", count: 30) + "*b"))
        #expect(channel.matches(String(repeating: "*a", count: 30) + "*"))
        #expect(["ecg", "ecg.a*", "e*.a*", "e*a"].allSatisfy(channel.matches))
        #expect(!["e", "a*"].contains(where: channel.matches))
    }
}
