package import WayreelCore
package import WayreelMapFiles
package import WayreelStory

extension BaseMap {
    /// Why a file may not be shown: neither it nor the story says under which licence, and its data are not
    /// OpenStreetMap's. nil if it may be.
    package func licenseFault(_ file: MapFile) -> (reason: String, advice: MediaError.Advice)? {
        guard license == nil, !file.isOpenStreetMap else { return nil }
        return (
            "has no license, and does not say that its data are OpenStreetMap's",
            "give the license under which it may be shown, such as CC BY 4.0"
        )
    }
}

extension BaseMapUse {
    /// Where a story lies in relation to what a file of a base map covers.
    enum Standing {
        case within
        /// All of it lies outside.
        case outside(String)
        /// Some events lie outside.
        case partly(String)
    }

    func standing(in box: GroundBox) -> Standing {
        let places = events.map { (name: "event '\($0.id)'", position: $0.position) }
        let starts = chapters.compactMap { chapter in
            chapter.location.map { (name: "the start of chapter '\(chapter.id)'", position: $0) }
        }
        let all = places.isEmpty ? starts : places
        let outside = all.map { ($0.name, box.distance(to: $0.position)) }.filter { $0.1 > 0 }
        let covered = "the file covers \(box)"
        guard let nearest = outside.min(by: { $0.1 < $1.1 }), let farthest = outside.max(by: { $0.1 < $1.1 }) else {
            return .within
        }
        guard outside.count == all.count else {
            return .partly(
                "\(outside.count) of \(all.count) events lie outside: the farthest, \(farthest.0), by \(text(farthest.1)); "
                    + covered)
        }
        return .outside(
            "the story lies outside: the nearest, \(nearest.0), is \(text(nearest.1)) away; \(covered)")
    }

    private func text(_ metres: Double) -> String {
        metres < 1000 ? "\(Int(metres.rounded())) m" : "\((metres / 1000).formatted(1)) km"
    }
}

extension GroundBox {
    /// The distance from the box to a position, in metres, within 0.5 %; 0 for one in it.
    fileprivate func distance(to position: GeoPoint) -> Double {
        let nearest = GeoPoint(
            latitude: min(max(position.latitude, south), north), longitude: min(max(position.longitude, west), east))
        return nearest.distance(to: position)
    }
}
