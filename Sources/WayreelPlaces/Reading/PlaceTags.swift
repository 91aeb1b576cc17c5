internal import WayreelCore
internal import WayreelStory

/// Makes places of tags as OpenStreetMap has them; other formats name their properties so, or are translated.
struct PlaceTags {
    /// The longest text that a place keeps, in characters; OpenStreetMap allows 255.
    static let maxText = 255
    /// The longest opening hours that are kept, in bytes: others cannot be cut.
    private static let maxHours = 2000
    private static let maxKeywords = 16

    /// The languages of names that places keep.
    let languages: [String]

    /// The keys that ``place(_:id:latitude:longitude:)`` reads, besides those of kinds.
    var keys: [String] {
        languages.map { "name:\($0)" } + Self.names + Self.addressParts + Self.phones + Self.websites
            + ["access", "addr:country", "addr:full", "cuisine", "name", "opening_hours"]
    }

    private static let names = [
        "alt_name", "brand", "int_name", "loc_name", "official_name", "old_name", "operator", "short_name",
    ]
    private static let addressParts = [
        "addr:street", "addr:place", "addr:housenumber", "addr:postcode", "addr:city",
    ]
    private static let phones = ["phone", "contact:phone", "contact:mobile"]
    private static let websites = ["website", "contact:website", "url"]

    /// Returns the place with some tags. `kind` is an id, or a name of a kind in any of its languages.
    ///
    /// Returns nil if it has neither a name nor a kind, is private, or lies nowhere. Longitudes may be up to 360, as in
    /// files that cross the antimeridian.
    func place(_ tags: [String: String], id: String, latitude: Double, longitude: Double) -> Place? {
        guard let position = Self.position(latitude: latitude, longitude: longitude),
            tags["access"] != "private", tags["access"] != "no"
        else { return nil }
        let kind = tags["kind"].flatMap { PlaceKind.meant(by: $0) } ?? PlaceKind.of(tags)
        let name = text(tags["name"])
        guard kind != nil || name != nil else { return nil }
        var place = Place(id: id.asName(ofAtMost: 100), name: name, kind: kind?.id, position: position)
        for language in languages {
            guard let local = text(tags["name:\(language)"]), local != name else { continue }
            place.names[language] = local
        }
        place.keywords = keywords(tags, except: name)
        place.address = address(tags)
        place.phone = phone(tags)
        place.website = website(tags)
        if let hours = tags["opening_hours"], !hours.isEmpty, hours.utf8.count <= Self.maxHours {
            place.openingHours = text(hours, most: Self.maxHours)
        }
        return place
    }

    static func position(latitude: Double, longitude: Double) -> GeoPoint? {
        // The conditions are false for NaN, too.
        guard abs(latitude) <= 90, abs(longitude) <= 360 else { return nil }
        let turned = longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
        return GeoPoint(latitude: latitude, longitude: turned)
    }

    /// Returns a text on one line, cut to the longest that is kept; nil if nothing is left.
    private func text(_ text: String?, most: Int = maxText) -> String? {
        guard let text = text?.asName(ofAtMost: most), !text.isEmpty else { return nil }
        return text
    }

    private func keywords(_ tags: [String: String], except name: String?) -> [String] {
        var words: [String] = []
        for key in Self.names + ["cuisine"] {
            for part in (tags[key] ?? "").split(separator: ";").prefix(Self.maxKeywords) {
                guard let word = text(String(part).replacing("_", with: " ")), word != name, !words.contains(word)
                else {
                    continue
                }
                words.append(word)
            }
        }
        return Array(words.prefix(Self.maxKeywords))
    }

    /// Countries in which the number of a house precedes the street.
    private static let numberFirst: Set = ["AU", "CA", "FR", "GB", "IE", "LU", "MC", "NZ", "US"]

    private func address(_ tags: [String: String]) -> String? {
        if let full = text(tags["addr:full"]) { return full }
        let (street, number) = (tags["addr:street"] ?? tags["addr:place"], tags["addr:housenumber"])
        let isNumberFirst = Self.numberFirst.contains(tags["addr:country"] ?? "")
        let house = (isNumberFirst ? [number, street] : [street, number]).compactMap(\.self)
        let town = [tags["addr:postcode"], tags["addr:city"]].compactMap(\.self)
        // A number or a postcode alone is no address.
        let parts = [street == nil ? [] : house, tags["addr:city"] == nil ? [] : town].filter { !$0.isEmpty }
        return text(parts.map { $0.joined(separator: " ") }.joined(separator: ", "))
    }

    private func phone(_ tags: [String: String]) -> String? {
        for key in Self.phones {
            guard let number = tags[key]?.split(separator: ";").first.flatMap({ text(String($0), most: 60) }),
                number.utf8.count(where: { (0x30...0x39).contains($0) }) >= 3
            else { continue }
            return number
        }
        return nil
    }

    private func website(_ tags: [String: String]) -> String? {
        for key in Self.websites {
            guard let address = tags[key]?.split(separator: ";").first.flatMap({ text(String($0)) }),
                !address.hasSuffix("…"), !address.contains(" ")
            else { continue }
            let lowercase = address.lowercased()
            if lowercase.hasPrefix("http://") || lowercase.hasPrefix("https://") { return address }
            // `www.museumkrems.at` is common; `javascript:` is not.
            if address.contains("."), !address.contains(":") { return "https://" + address }
        }
        return nil
    }
}
