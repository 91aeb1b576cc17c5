/// The samples of a channel, reduced while they arrive to parts of time with their first, lowest, highest and last
/// sample, so that no peak is lost in bounded memory.
///
/// Each sample has a part of its own until there are more than the trace holds; then parts become twice as long. Times
/// may go backwards: late samples are sorted in.
package struct SensorTrace: Sendable {
    package struct Sample: Hashable, Sendable {
        /// Microseconds.
        package var time: Int64
        package var value: Double

        package init(time: Int64, value: Double) { (self.time, self.value) = (time, value) }
    }

    /// The samples of a part of time.
    package struct Part: Hashable, Sendable {
        package fileprivate(set) var first: Sample
        package fileprivate(set) var last: Sample
        package fileprivate(set) var lowest: Sample
        package fileprivate(set) var highest: Sample
        /// Whether samples are known to be missing before it.
        package fileprivate(set) var followsGap = false

        fileprivate init(_ sample: Sample) { (first, last, lowest, highest) = (sample, sample, sample, sample) }

        fileprivate mutating func merge(_ other: Part) {
            if other.first.time < first.time { (first, followsGap) = (other.first, other.followsGap) }
            if other.last.time >= last.time { last = other.last }
            if other.lowest.value < lowest.value { lowest = other.lowest }
            if other.highest.value > highest.value { highest = other.highest }
        }

        /// Returns it with all values multiplied by `factor`, which is positive.
        func scaled(by factor: Double) -> Part {
            guard factor != 1 else { return self }
            var part = self
            part.first.value *= factor
            part.last.value *= factor
            part.lowest.value *= factor
            part.highest.value *= factor
            return part
        }

        /// Its samples in the order of time, each once.
        package var samples: [Sample] {
            let middle = lowest.time <= highest.time ? [lowest, highest] : [highest, lowest]
            var samples = [first]
            for sample in middle + [last] where sample != samples[samples.count - 1] && sample != first {
                samples.append(sample)
            }
            return samples
        }
    }

    /// The number of samples.
    package private(set) var count = 0
    /// The number of samples that are earlier than one before them.
    package private(set) var lateCount = 0
    /// Samples a second, if they are known to be even.
    package var rate: Double?

    private let capacity: Int
    private var parts: [Part] = []
    /// The part that samples are added to.
    private var open: Part?
    private var openKey = Int64.min
    /// A part has the times with the same quotient by 2 to this power.
    private var shift: Int64 = 0
    private var late: [Part] = []
    private var hasGap = false
    private var intervals = IntervalHistogram()

    private static let lateLimit = 4096

    /// `capacity`: the most parts that are kept, at least 16.
    package init(capacity: Int) { self.capacity = max(capacity, 16) }

    @inline(__always)
    package mutating func add(_ time: Int64, _ value: Double) {
        count += 1
        if time >> shift == openKey, let latest = open?.last.time, time >= latest {
            intervals.add(time &- latest)
            open!.last = Sample(time: time, value: value)
            if value < open!.lowest.value { open!.lowest = Sample(time: time, value: value) }
            if value > open!.highest.value { open!.highest = Sample(time: time, value: value) }
            hasGap = false
        } else {
            begin(Sample(time: time, value: value))
        }
    }

    /// Adds those of the samples whose times are in `window`.
    package mutating func add(times: Span<Int64>, values: Span<Double>, in window: Range<Int64>) {
        for index in times.indices {
            let time = times[index]
            if time >= window.lowerBound, time < window.upperBound { add(time, values[index]) }
        }
    }

    /// Adds even samples, of which those that are not numbers are missing: number `i` of `values` is `first` + i samples
    /// after `start`.
    package mutating func add(
        start: Int64, rate: Double, first: Int, values: Span<Double>, in window: Range<Int64>
    ) {
        for index in values.indices {
            let time = Self.time(start, rate: rate, first &+ index)
            guard time >= window.lowerBound, time < window.upperBound else { continue }
            if values[index].isFinite { add(time, values[index]) } else { addGap() }
        }
    }

    /// The time of the even sample `number`, of which number 0 is at `start`.
    @inline(__always)
    static func time(_ start: Int64, rate: Double, _ number: Int) -> Int64 {
        // Recordings are at most 10¹⁸ microseconds long.
        let offset = min(max(Double(number) * (1e6 / rate), -2e18), 2e18)
        return start &+ Int64(offset.rounded())
    }

    /// The next sample follows missing ones.
    package mutating func addGap() { hasGap = open != nil }

    @inline(never)
    private mutating func begin(_ sample: Sample) {
        var part = Part(sample)
        guard let previous = open else {
            (open, openKey) = (part, sample.time >> shift)
            return
        }
        guard sample.time >= previous.last.time else {
            lateCount += 1
            late.append(part)
            if late.count == Self.lateLimit { sortLate() }
            return
        }
        intervals.add(sample.time &- previous.last.time)
        part.followsGap = hasGap
        hasGap = false
        parts.append(previous)
        (open, openKey) = (part, sample.time >> shift)
        if parts.count >= capacity { coarsen() }
    }

    /// Makes parts longer until a quarter of the room is free.
    private mutating func coarsen() {
        while parts.count > capacity / 4 * 3, shift < 62 {
            shift += 1
            var kept = 0
            for index in 1..<parts.count {
                if parts[index].first.time >> shift == parts[kept].first.time >> shift {
                    parts[kept].merge(parts[index])
                } else {
                    kept += 1
                    parts[kept] = parts[index]
                }
            }
            parts.removeSubrange((kept + 1)...)
        }
        guard let part = open else { return }
        openKey = part.first.time >> shift
        if let last = parts.last, last.first.time >> shift == openKey {
            var merged = last
            merged.merge(part)
            parts.removeLast()
            open = merged
        }
    }

    private mutating func sortLate() {
        guard !late.isEmpty else { return }
        // Equal times stay in the order of the recording.
        let sorted = (parts + late).enumerated()
            .sorted { ($0.element.first.time, $0.offset) < ($1.element.first.time, $1.offset) }
        late.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
        for (_, part) in sorted {
            if let last = parts.last, part.first.time >> shift == last.first.time >> shift, shift > 0 {
                parts[parts.count - 1].merge(part)
            } else {
                parts.append(part)
            }
        }
        if parts.count >= capacity { coarsen() }
        // Late samples may be within the part that is open.
        while let last = parts.last, let part = open, last.first.time >> shift == openKey, shift > 0 {
            var merged = last
            merged.merge(part)
            parts.removeLast()
            open = merged
        }
    }

    // MARK: Results

    /// All parts, in the order of time.
    package func finished() -> [Part] {
        var trace = self
        trace.sortLate()
        guard let open = trace.open else { return trace.parts }
        let index = trace.parts.lastIndex { $0.first.time <= open.first.time }.map { $0 + 1 } ?? 0
        trace.parts.insert(open, at: index)
        return trace.parts
    }

    /// The usual time between samples in microseconds: by the rate or, without one, the median; nil for less than two
    /// samples at different times.
    package var usualInterval: Double? {
        if let rate, rate > 0 { return 1e6 / rate }
        return intervals.median
    }

    /// Parts divided where the time without a sample exceeds `gap` usual intervals (nil: only at known gaps).
    package static func runs(_ parts: [Part], usualInterval: Double?, gap: Double?) -> [ArraySlice<Part>] {
        let limit = gap.flatMap { gap in usualInterval.map { $0 * gap } } ?? .infinity
        var runs: [ArraySlice<Part>] = []
        var start = 0
        for index in parts.indices.dropFirst() {
            let wait = Double(parts[index].first.time) - Double(parts[index - 1].last.time)
            guard parts[index].followsGap || wait > limit else { continue }
            runs.append(parts[start..<index])
            start = index
        }
        if start < parts.count { runs.append(parts[start...]) }
        return runs
    }
}

/// How often each length of time occurs, to an eighth of it.
private struct IntervalHistogram {
    private var counts = [Int](repeating: 0, count: 64 * 8)
    private var total = 0

    @inline(__always)
    package mutating func add(_ interval: Int64) {
        guard interval > 0 else { return }
        let value = UInt64(interval)
        let exponent = 63 &- value.leadingZeroBitCount
        let fraction = exponent >= 3 ? Int(truncatingIfNeeded: value >> UInt64(exponent &- 3)) & 7 : 0
        counts[exponent &* 8 &+ fraction] &+= 1
        total &+= 1
    }

    /// The middle of the lengths that the median is among.
    var median: Double? {
        guard total > 0 else { return nil }
        var rest = (total + 1) / 2
        for (index, count) in counts.enumerated() {
            rest -= count
            if rest <= 0 {
                let (exponent, fraction) = (index / 8, index % 8)
                let unit = Double(UInt64(1) << UInt64(exponent))
                return exponent >= 3 ? unit * (1 + (Double(fraction) + 0.5) / 8) : unit * 1.25
            }
        }
        return nil
    }
}
