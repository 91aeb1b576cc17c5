internal import Glibc
internal import WayreelEngine
internal import WayreelStory

/// Finds places by name, kind or both, nearest first.
///
///     let index = PlaceIndex(try PlaceList.read(path: "krems.osm.pbf").places)
///     let found = index.search(PlaceQuery("gozzo", near: GeoPoint(latitude: 48.41, longitude: 15.6)))
///     print(found[0].place.name, found[0].distance, found[0].bearing)
///
/// It keeps the distinct words of all names, sorted, with the numbers of the places of each: a search takes time with the
/// number of places that it finds, and not with that of all.
public struct PlaceIndex: Sendable {
    public let places: [Place]

    /// The words in the order of their UTF-8, one after the other.
    private var text: [UInt8] = []
    /// Where each word begins in ``text``, and after the last one its end.
    private var starts: [Int32] = [0]
    /// Where the places of each word begin in ``numbers``, and after the last one their end.
    private var firsts: [Int32] = [0]
    private var numbers: [Int32] = []
    /// The words of scripts without spaces.
    private var continuous: [Int32] = []
    /// The numbers of the places of each kind, by its number in the table.
    private var ofKinds: [Int: [Int32]] = [:]
    /// The points of a sphere, of radius 1, in the order of the places.
    private var points: [SIMD3<Double>] = []

    public init(_ places: [Place]) {
        self.places = places
        points = places.map { Self.spherePoint($0.position) }
        for (number, place) in places.enumerated() {
            guard let kind = place.kind.flatMap({ PlaceKind.numbers[$0] }) else { continue }
            ofKinds[kind, default: []].append(Int32(number))
        }
        addWords()
    }

    private mutating func addWords() {
        var ofWords: [String: [Int32]] = [:]
        for (number, place) in places.enumerated() {
            let texts = [place.name].compactMap(\.self) + place.names.values + place.keywords
            for word in Set(texts.flatMap(FoldedText.words)) { ofWords[word, default: []].append(Int32(number)) }
        }
        let words = ofWords.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        for (index, word) in words.enumerated() {
            text += word.utf8
            starts.append(Int32(clamping: text.count))
            numbers += ofWords[word] ?? []
            firsts.append(Int32(clamping: numbers.count))
            if FoldedText.isContinuous(word) { continuous.append(Int32(index)) }
        }
    }

    // MARK: Search

    /// Returns the nearest places that have all words of the text, each as the beginning of a word of a name, a keyword or
    /// the kind's name in any language, and one of the kinds. Words of scripts without spaces, such as Chinese, are found
    /// anywhere.
    ///
    /// Places at the same distance are in the order of ``places``. A position that is not a number finds nothing.
    public func search(_ query: PlaceQuery) -> [FoundPlace] {
        let (latitude, longitude) = (query.position.latitude, query.position.longitude)
        let limit = min(query.limit, PlaceQuery.maxLimit)
        guard abs(latitude) <= 90, abs(longitude) <= 360, limit > 0, !(query.radius?.isNaN ?? false) else { return [] }
        guard let matching = numbers(matching: query.text, kinds: query.kinds) else { return [] }
        return nearest(matching, query, limit)
    }

    /// Returns the numbers of the places that match, in ascending order.
    func numbers(matching text: String, kinds: Set<String>) -> [Int32]? {
        let words = FoldedText.words(of: String(text.prefix(PlaceQuery.maxText)))
        // A text of signs only is not a search for everything.
        if words.isEmpty, !text.trimmingBlanks.isEmpty { return nil }
        if words.isEmpty, kinds.isEmpty { return places.indices.map { Int32($0) } }
        /// How many of the conditions each place meets so far.
        var met = [UInt8](repeating: 0, count: places.count)
        var conditions: UInt8 = 0
        var last: [Int32] = []
        func require(_ body: ((ArraySlice<Int32>) -> Void) -> Void) {
            last.removeAll(keepingCapacity: true)
            body { numbers in
                for number in numbers where met[Int(number)] == conditions {
                    met[Int(number)] = conditions + 1
                    last.append(number)
                }
            }
            conditions += 1
        }
        if !kinds.isEmpty {
            require { visit in
                for kind in kinds { ofKinds[PlaceKind.numbers[kind] ?? -1].map { visit($0[...]) } }
            }
        }
        for word in words {
            require { visit in
                for index in indices(matching: word) {
                    visit(numbers[Int(firsts[index])..<Int(firsts[index + 1])])
                }
                for kind in KindWords.kinds(matching: word) { ofKinds[kind].map { visit($0[...]) } }
            }
            if last.isEmpty { return [] }
        }
        return last.sorted()
    }

    /// Returns the indices of the words that begin with one, or have it anywhere.
    private func indices(matching word: String) -> [Int] {
        let wanted = Array(word.utf8)
        if FoldedText.isContinuous(word) {
            return continuous.lazy.map(Int.init).filter { Self.holds(self.text, self.range($0), wanted) }
        }
        var (low, high) = (0, starts.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if text[range(middle)].lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
        }
        var end = low
        while end < starts.count - 1, text[range(end)].starts(with: wanted) { end += 1 }
        return Array(low..<end)
    }

    private func range(_ index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index + 1]) }

    private static func holds(_ text: [UInt8], _ range: Range<Int>, _ wanted: [UInt8]) -> Bool {
        guard range.count >= wanted.count else { return false }
        return (range.lowerBound...range.upperBound - wanted.count).contains { start in
            text[start..<start + wanted.count].elementsEqual(wanted)
        }
    }

    // MARK: Distances

    /// The Earth's mean radius in metres.
    private static let radius = 6_371_008.8

    private static func spherePoint(_ position: GeoPoint) -> SIMD3<Double> {
        let (latitude, longitude) = (position.latitude * .pi / 180, position.longitude * .pi / 180)
        return SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }

    /// Returns the square of the chord of an angle in radians; more than any for half a turn and more.
    private static func squaredChord(ofAngle angle: Double) -> Double {
        guard angle < .pi else { return 5 }
        let half = sin(angle / 2)
        return 4 * half * half
    }

    /// Great circles on a sphere are within 0.56 % of the paths on the ellipsoid, so that the nearest places are among
    /// those that are at most this much farther on the sphere.
    private static let margin = 1.012

    /// Returns the nearest of some places. Distances are compared as chords of a sphere, and those of the places that may be
    /// among the nearest are measured on the ellipsoid.
    private func nearest(_ numbers: [Int32], _ query: PlaceQuery, _ limit: Int) -> [FoundPlace] {
        let center = Self.spherePoint(query.position)
        var most = Double.infinity
        if let radius = query.radius {
            guard radius >= 0 else { return [] }
            most = Self.squaredChord(ofAngle: radius / Self.radius * Self.margin + 1e-9)
        }
        var candidates: [(square: Double, number: Int32)] = []
        for number in numbers {
            let offset = points[Int(number)] - center
            let square = (offset * offset).sum()
            if square <= most { candidates.append((square, number)) }
        }
        if candidates.count > limit {
            let square = Self.smallest(limit, of: candidates.map(\.square))
            let angle = 2 * asin(min(1, square.squareRoot() / 2))
            let border = Self.squaredChord(ofAngle: angle * Self.margin + 1e-9)
            candidates.removeAll { $0.square > border }
        }
        var found = candidates.map { candidate in
            let path = query.position.geodesic(to: places[Int(candidate.number)].position)
            return (path: path, number: candidate.number)
        }
        if let radius = query.radius { found.removeAll { $0.path.distance > radius } }
        found.sort { ($0.path.distance, $0.number) < ($1.path.distance, $1.number) }
        return found.prefix(limit).map { item in
            FoundPlace(
                place: places[Int(item.number)], distance: item.path.distance, bearing: item.path.bearing)
        }
    }

    /// Returns the `count`-th smallest of more numbers, by a heap of those that are smallest so far.
    private static func smallest(_ count: Int, of numbers: [Double]) -> Double {
        var heap = Array(numbers.prefix(count))
        func sink(_ start: Int) {
            var parent = start
            while 2 * parent + 1 < count {
                var child = 2 * parent + 1
                if child + 1 < count, heap[child + 1] > heap[child] { child += 1 }
                guard heap[child] > heap[parent] else { return }
                heap.swapAt(parent, child)
                parent = child
            }
        }
        for start in stride(from: count / 2, through: 0, by: -1) { sink(start) }
        for number in numbers.dropFirst(count) where number < heap[0] {
            heap[0] = number
            sink(0)
        }
        return heap[0]
    }
}

/// The words of the names of kinds.
private enum KindWords {
    /// Words between others, by which nobody looks for a place.
    private static let joining: Set = ["a", "and", "d", "da", "de", "do", "e", "et", "la", "para", "und", "y"]

    /// Each word in the order of its UTF-8, with the numbers of the kinds that have it.
    private static let words: [(word: [UInt8], kinds: [Int])] = {
        var ofWords: [String: Set<Int>] = [:]
        for (number, kind) in PlaceKind.all.enumerated() {
            for word in kind.names.values.flatMap(FoldedText.words) where !joining.contains(word) {
                ofWords[word, default: []].insert(number)
            }
        }
        return ofWords.sorted { $0.key < $1.key }.map { (Array($0.key.utf8), $0.value.sorted()) }
    }()

    /// Returns the numbers of the kinds that have a word with a beginning.
    static func kinds(matching word: String) -> Set<Int> {
        let wanted = Array(word.utf8)
        return Set(words.lazy.filter { $0.word.starts(with: wanted) }.flatMap(\.kinds))
    }
}
