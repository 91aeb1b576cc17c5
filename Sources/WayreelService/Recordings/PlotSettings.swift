internal import FoundationEssentials
internal import HTTPTypes
internal import WayreelCore
internal import WayreelDocument
internal import WayreelStreams

/// How a player looks at a recording: what the page of live streams and plots read. The members of a document that are
/// missing have the values of a new recording.
struct PlotSettings: Codable, Hashable, Sendable {
    enum Movement: String, Codable { case scroll, sweep }

    static let format = "wayreel-plot"
    static let version = 1
    /// The bytes of a document.
    static let maxBytes = 64 << 10
    private static let maxChannels = SensorPlot.channelLimit

    var format = Self.format
    var version = Self.version
    /// The seconds that are seen at once.
    var span: Double?
    var movement: Movement?
    /// Whether all lanes have the same scale.
    var oneScale: Bool?
    /// The channels of each lane, from the top. A channel in none of them has a lane of its own.
    var lanes: [[String]]?
    var hidden: [String]?
    /// The least and the largest value of the lane of a channel, by its name. Others follow what is seen.
    var ranges: [String: [Double]]?
    var scales: [String: SensorSelection.Scale]?
    /// As in `#0072b2`, by the name of a channel.
    var colors: [String: String]?
    /// As `--filter` of `wayreel streams` takes them, in their order.
    var filters: [String]?

    init() {}

    /// Reads a document. Throws a ``Problem`` if it is none.
    init(json: [UInt8]) throws {
        let settings: PlotSettings
        do { settings = try JSONDecoder().decode(Self.self, from: Data(json)) } catch {
            throw Self.problem("/openapi.json describes it")
        }
        guard let known = try? JSONDecoder().decode([String: Anything].self, from: Data(json)),
            let unknown = known.keys.sorted().first(where: { CodingKeys(stringValue: $0) == nil })
        else {
            self = settings
            try check()
            return
        }
        throw Self.problem("there is no '\(unknown.prefix(40))'")
    }

    /// A value that is not looked at.
    private struct Anything: Decodable { init(from decoder: any Decoder) {} }

    private static func problem(_ detail: String) -> Problem {
        Problem(.unprocessableContent, code: "settings", "The body is no settings of a plot", detail: detail)
    }

    private func check() throws {
        guard format == Self.format, version == Self.version else {
            throw Self.problem("it begins with \"format\":\"\(Self.format)\",\"version\":\(Self.version)")
        }
        if let span, !(span >= 0.001 && span <= 1e9) { throw Self.problem("'span' is 0.001 to 1e9 seconds") }
        let names = (lanes ?? []).joined() + (hidden ?? [])
        let named = [ranges.map { Array($0.keys) }, scales.map { Array($0.keys) }, colors.map { Array($0.keys) }]
        guard lanes?.allSatisfy({ !$0.isEmpty }) ?? true else { throw Self.problem("a lane has a channel") }
        guard names.count <= 2 * Self.maxChannels, named.allSatisfy({ $0?.count ?? 0 <= Self.maxChannels }) else {
            throw Self.problem("it names more than \(Self.maxChannels) channels")
        }
        for name in names + named.compactMap(\.self).joined() where SensorChannel(named: name) == nil {
            throw Self.problem("'\(name.prefix(40))' is no channel: write stream.component")
        }
        for (name, range) in ranges ?? [:] {
            guard range.count == 2, range[0] < range[1], range.allSatisfy({ $0.magnitude <= 1e300 }) else {
                throw Self.problem("the range of '\(name)' is two numbers, the least first")
            }
        }
        for (name, scale) in scales ?? [:] where scale == .log {
            guard (ranges?[name]?[0]).map({ $0 > 0 }) ?? true else {
                throw Self.problem("the range of '\(name)', whose scale is logarithmic, begins above 0")
            }
        }
        for (name, color) in colors ?? [:] where color.wholeMatch(of: /#[0-9a-fA-F]{6}/) == nil {
            throw Self.problem("the colour of '\(name)' is written as #0072b2")
        }
        guard (filters ?? []).count <= SignalFilters.most else {
            throw Self.problem("it has more than \(SignalFilters.most) filters")
        }
        do throws(MediaError) { _ = try sensorFilters() } catch { throw Self.problem(error.description) }
    }

    func sensorFilters() throws(MediaError) -> [SensorFilter] {
        try (filters ?? []).map { (text) throws(MediaError) in try SensorFilter(parsing: text) }
    }

    /// UTF-8.
    func json() throws -> [UInt8] { try CanonicalJSON.bytes(self) }

    // MARK: Plots

    /// The selections of a plot of these channels: those that are not hidden, lane by lane.
    func selections(of channels: [String]) -> [SensorSelection] {
        let hidden = Set(hidden ?? [])
        let shown = channels.filter { !hidden.contains($0) }
        var (selections, chosen): ([SensorSelection], Set<String>) = ([], [])
        func add(_ name: String, lane: Int?) {
            guard shown.contains(name), chosen.insert(name).inserted else { return }
            var selection = SensorSelection(name)
            selection.lane = lane.map { "\($0 + 1)" }
            if let range = ranges?[name], range.count == 2, range[0] < range[1] {
                selection.range = .fixed(range[0]...range[1])
            }
            selection.scale = scales?[name] ?? .linear
            selection.color = colors?[name].flatMap { RGBColor($0) }
            selections.append(selection)
        }
        for (lane, names) in (lanes ?? []).enumerated() { for name in names { add(name, lane: lane) } }
        for name in shown { add(name, lane: nil) }
        return selections
    }
}
