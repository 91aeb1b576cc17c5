/// A file with the streets, buildings and water that maps of a story show below its marks.
public struct BaseMap: Hashable, Sendable, Codable {
    /// The path relative to the story's folder, with `/` as separator; never outside of the folder.
    public var source: String
    /// Who made it; nil for what the file itself says, or the OpenStreetMap contributors.
    public var author: String?
    /// The licence under which it is shown; nil for that of OpenStreetMap.
    public var license: String?
    /// The address of the page that it was taken from.
    public var origin: String?

    public init(source: String, author: String? = nil, license: String? = nil, origin: String? = nil) {
        self.source = source
        self.author = author
        self.license = license
        self.origin = origin
    }
}

/// A base map with the chapters that show it.
package struct BaseMapUse: Sendable {
    package var map: BaseMap
    /// The id of the chapter whose own it is; nil for that of the story.
    package var chapter: String?
    package var chapters: [Chapter]

    /// The events that are found on it.
    package var events: [Event] { chapters.flatMap(\.events) }
}

extension Story {
    /// The base maps that players see, in the order of the document: that of the story unless all chapters have their own,
    /// and those of chapters. Chapters without any place are left out.
    package var baseMapUses: [BaseMapUse] {
        let placed = chapters.filter { !$0.events.isEmpty || $0.location != nil }
        let others = placed.filter { $0.map == nil }
        let own = others.isEmpty ? nil : map.map { BaseMapUse(map: $0, chapter: nil, chapters: others) }
        return [own].compactMap(\.self)
            + placed.compactMap { chapter in
                chapter.map.map { BaseMapUse(map: $0, chapter: chapter.id, chapters: [chapter]) }
            }
    }

    /// All base maps that the document names, in its order.
    package var baseMaps: [BaseMap] { [map].compactMap(\.self) + chapters.compactMap(\.map) }
}
