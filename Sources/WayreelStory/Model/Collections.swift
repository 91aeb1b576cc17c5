/// A part of the story's collection: items with a common subject, which players look through and search.
public struct Section: Hashable, Sendable, Codable {
    /// The id, unique in the story.
    public var id: String
    public var name: String
    public var description: RichText?
    public var image: Asset?
    /// The items in the author's order.
    public var items: [Item]

    public init(
        id: String, name: String, description: RichText? = nil, image: Asset? = nil, items: [Item] = []
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.image = image
        self.items = items
    }
}

/// An object of a collection.
public struct Item: Hashable, Sendable, Codable {
    /// The id, unique in the story; an event refers to it.
    public var id: String
    public var name: String
    public var text: RichText?
    /// The images in the author's order.
    public var images: [Asset]
    public var audio: RadioContent.Track?
    /// Where it stands.
    public var position: GeoPoint?
    /// Where it stands on a floor.
    public var anchor: Anchor?
    /// Whether players see it only after they found an event that shows it.
    public var isHidden: Bool

    public init(
        id: String, name: String, text: RichText? = nil, images: [Asset] = [], audio: RadioContent.Track? = nil,
        position: GeoPoint? = nil, anchor: Anchor? = nil, isHidden: Bool = false
    ) {
        self.id = id
        self.name = name
        self.text = text
        self.images = images
        self.audio = audio
        self.position = position
        self.anchor = anchor
        self.isHidden = isHidden
    }

    private enum CodingKeys: String, CodingKey {
        case id, name, text, images, audio, position, anchor
        case isHidden = "hidden"
    }
}

/// An item of a collection as the content of an event.
public struct ExhibitContent: Hashable, Sendable, Codable {
    /// The id of an item of any section.
    public var item: String

    public init(item: String) { self.item = item }
}
