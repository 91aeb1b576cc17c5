public import WayreelCore
public import WayreelEngine
public import WayreelStory

/// The content of a map: events with their circles, the walk, and findings.
///
///     var map = MapScene(story: story, chapters: ["mission"])
///     map.walk = track
///     let svg = try map.draw(MapImage(size: PixelSize(width: 1200, height: 900), theme: .dark), as: .svg)
public struct MapScene: Sendable {
    public struct Place: Hashable, Sendable {
        /// The event's id.
        public var id: String
        public var name: String
        /// The kind of the event: `camera`, `radio`, `scrapbook`, `goggles`, `quiz`.
        public var kind: String
        public var position: GeoPoint
        /// Where its mark is, if that is not at ``position``: at its anchor on a floor plan.
        public var anchor: GeoPoint?
        /// The radius of the circle that activates the event, in metres.
        public var radius: Double
        /// The event's number in a tour, from 1; nil if events are found in any order.
        public var number: Int?

        public init(
            id: String, name: String, kind: String, position: GeoPoint, anchor: GeoPoint? = nil, radius: Double,
            number: Int? = nil
        ) {
            self.id = id
            self.name = name
            self.kind = kind
            self.position = position
            self.anchor = anchor
            self.radius = radius
            self.number = number
        }

        var mark: GeoPoint { anchor ?? position }
    }

    public struct Section: Hashable, Sendable {
        public var name: String
        /// The location at which the chapter begins.
        public var start: GeoPoint?
        public var places: [Place]

        public init(name: String, start: GeoPoint? = nil, places: [Place] = []) {
            self.name = name
            self.start = start
            self.places = places
        }
    }

    public var title: String
    /// The chapters.
    public var sections: [Section]
    /// The floor plans below all marks; the last one is on top.
    public var plans: [MapPlan] = []
    public var walk: Track?
    /// Reported positions that were not used and are not part of the walk. They may be outside of the map.
    public var unused: [GeoPoint] = []
    /// The findings by event id; nil if they are unknown, and all events are then drawn alike.
    public var found: [JournalKey: JournalContents.Finding]?
    /// The local clock for displayed times.
    public var clock: LocalClock?
    /// The base map; nil for none.
    public var ground: MapGround?

    public init(
        title: String, sections: [Section], walk: Track? = nil, found: [JournalKey: JournalContents.Finding]? = nil,
        clock: LocalClock? = nil
    ) {
        self.title = title
        self.sections = sections
        self.walk = walk
        self.found = found
        self.clock = clock
    }

    /// Shows a replayed walk: unused positions are marked beside it, and its findings are added.
    public mutating func show(_ replay: Replay, of walk: Track) {
        self.walk = walk.removing(replay.unusedFixes)
        unused = walk.points.enumerated().filter { replay.unusedFixes.contains($0.offset) }.map(\.element.position)
        found = (found ?? [:]).merging(replay.news.found) { min($0, $1) }
    }

    /// Creates a map of the given chapters of a story, or of all of them for nil.
    ///
    /// `floor`: the id of a plan, for the events on that floor alone.
    ///
    /// Throws a `parameter` error for a chapter that the story does not have, and for a floor that none of the chapters has.
    public init(story: Story, chapters ids: [String]? = nil, floor: String? = nil) throws(MediaError) {
        let known = story.chapters.map(\.id)
        if let unknown = ids?.first(where: { !known.contains($0) }) {
            throw MediaError.unknown(
                unknown, among: known, step: .map, reason: "there is no such chapter", list: "the story has")
        }
        let shown = story.chapters.filter { ids?.contains($0.id) ?? true }
        let floors = shown.flatMap { story.floors(of: $0).map(\.id) }
        if let floor, !floors.contains(floor) {
            throw MediaError.unknown(
                floor, among: floors, step: .map, reason: "no chapter of the map has such a floor", list: "they have")
        }
        self.init(title: story.name, sections: shown.map { Section($0, of: story, floor: floor) })
    }

    /// The plans of the floors that a map of these chapters shows: `floor`, or of each chapter that it names, else that at
    /// the street, else its lowest.
    public static func plans(of story: Story, chapters ids: [String]? = nil, floor: String? = nil) -> [FloorPlan] {
        var shown: [FloorPlan] = []
        for chapter in story.chapters where ids?.contains(chapter.id) ?? true {
            let floors = story.floors(of: chapter)
            let chosen =
                floor.map { floor in floors.first { $0.id == floor } }
                ?? floors.first { $0.id == chapter.floor } ?? floors.first { $0.level == 0 } ?? floors.first
            if let chosen, !shown.contains(chosen) { shown.append(chosen) }
        }
        return shown
    }

    var places: [Place] { sections.flatMap(\.places) }

    /// The names, and the title, that no installed font has all outlines for. They are drawn with `\u{FFFD}` for what
    /// is missing.
    ///
    /// Throws a `parameter` error for a name that is too long.
    public func undrawnNames() throws(MediaError) -> [String] {
        var undrawn: [String] = []
        for name in [title] + sections.map(\.name) + places.map(\.name)
        where !undrawn.contains(name) && !name.utf8.allSatisfy({ $0 < 0x80 }) {
            if try !MapText.isDrawn(String(name.prefix(1000))) { undrawn.append(name) }
        }
        return undrawn
    }

    /// All events by name, and which of them were found.
    var summary: String {
        let names = places.map { place in
            let finding = found.map { $0[place.id].map { ", found at \($0.timestamp)" } ?? ", not found" }
            return "\(place.name) (\(place.kind)\(finding ?? ""))"
        }
        return names.joined(separator: "; ")
    }
}

extension MapScene.Section {
    /// `floor`: the events on that floor alone. Events without a floor are on that of the chapter.
    fileprivate init(_ chapter: Chapter, of story: Story, floor: String?) {
        let isTour = chapter.order == .sequence
        let floors = Dictionary(story.floors(of: chapter).map { ($0.id, $0) }) { first, _ in first }
        let places = chapter.events.enumerated().compactMap { index, event -> MapScene.Place? in
            let anchor = story.anchor(of: event)
            if let floor, (anchor?.floor ?? chapter.floor) != floor { return nil }
            return MapScene.Place(
                id: event.id, name: event.name, kind: event.content.kind, position: event.position,
                anchor: anchor.flatMap { floors[$0.floor]?.position(of: $0) }, radius: event.activation.radius,
                number: isTour ? index + 1 : nil)
        }
        self.init(name: chapter.name, start: floor == nil ? chapter.location : nil, places: places)
    }
}

extension FloorPlan {
    /// Returns the place of an anchor's point; nil without one.
    fileprivate func position(of anchor: Anchor) -> GeoPoint? {
        guard let x = anchor.x, let y = anchor.y else { return nil }
        return Georeference(pins)?.position(x: x, y: y)
    }
}
