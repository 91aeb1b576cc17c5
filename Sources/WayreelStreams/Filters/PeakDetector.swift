internal import Glibc
internal import WayreelCore

/// Events for the beats of a heart in an electrocardiogram. The samples themselves stay as they are.
///
/// An event is a sample of the stream `STREAM-beats`, at the time of the peak of the QRS complex. It has the component
/// with its value there, and the rate since the beat before in `bpm`. After more than 8 intervals without a sample,
/// the detector begins anew. A sample that is not later than the latest is ignored.
struct PeakEvents: SensorFilterStep {
    private let refractory: Double
    private let rate: Double
    private var states: ComponentStates<State>
    private let subject: String

    /// A component: its samples until the rate is known, and then the detector.
    private struct State: Sendable {
        var detector: PeakDetector?
        /// In microseconds.
        var interval: Double
        var measuring = SampleInterval()
        var held: [(time: SensorTime, value: Double)] = []
        var latest: SensorTime?
        /// The time of the latest beat, unless the detector began anew since.
        var beat: SensorTime?
    }

    /// - Parameters:
    ///   - refractory: The shortest time between two beats in seconds.
    ///   - rate: That of the samples; 0: as measured.
    /// - Throws: A `parameter` error if a given rate is too low.
    init(_ target: SensorFilter.Target, refractory: Double, rate: Double) throws(MediaError) {
        self.refractory = refractory
        self.rate = rate
        states = ComponentStates(target)
        subject = "\(target):peaks"
        if rate > 0 { _ = try detector(rate) }
    }

    var addedComponents: [String] { ["bpm"] }

    mutating func apply(
        _ sample: inout SensorSample, _ others: inout [SensorSample]
    ) throws(MediaError) -> SensorFilterOutcome {
        let interval = rate > 0 ? 1e6 / rate : 0
        for place in states.places(in: sample, { _ in State(interval: interval) }) {
            var beats: [PeakDetector.Beat] = []
            try add(sample.values[place.value], at: sample.time, place.state, &beats)
            guard !beats.isEmpty else { continue }
            emit(beats, place.state, sample.stream, sample.values.names[place.value], &others)
        }
        return .pass
    }

    mutating func finish(_ others: inout [SensorSample]) throws(MediaError) {
        for (index, key) in states.keys.enumerated() {
            var beats: [PeakDetector.Beat] = []
            // Fewer samples than are needed to measure the rate hold no beat.
            states[index].detector?.finish(&beats)
            emit(beats, index, key.stream, key.component, &others)
        }
    }

    private func detector(_ rate: Double) throws(MediaError) -> PeakDetector {
        do throws(MediaError) { return try PeakDetector(rate: rate, refractory: refractory) } catch {
            throw error.naming(subject)
        }
    }

    private mutating func add(
        _ value: Double, at time: SensorTime, _ index: Int, _ beats: inout [PeakDetector.Beat]
    ) throws(MediaError) {
        if let latest = states[index].latest {
            let since = latest.microseconds(until: time)
            guard since > 0 else { return }
            if states[index].detector != nil, Double(since) > 8 * states[index].interval {
                try restart(index, interval: states[index].interval, &beats)
            }
        }
        states[index].latest = time
        if states[index].detector == nil, rate > 0 {
            states[index].detector = try detector(rate)
        }
        if rate == 0, states[index].measuring.add(time), let measured = states[index].measuring.interval {
            states[index].measuring = SampleInterval()
            _ = states[index].measuring.add(time)
            // Also a rate that changes.
            if abs(measured - states[index].interval) > 0.05 * states[index].interval {
                try restart(index, interval: measured, &beats)
                for sample in states[index].held { states[index].detector?.add(sample.value, at: sample.time, &beats) }
                states[index].held = []
            }
        }
        if states[index].detector == nil {
            states[index].held.append((time, value))
        } else {
            states[index].detector?.add(value, at: time, &beats)
        }
    }

    /// Ends the detector of a component, and begins one for an interval in microseconds.
    private mutating func restart(
        _ index: Int, interval: Double, _ beats: inout [PeakDetector.Beat]
    ) throws(MediaError) {
        states[index].detector?.finish(&beats)
        states[index].detector = try detector(1e6 / interval)
        states[index].interval = interval
    }

    private mutating func emit(
        _ beats: [PeakDetector.Beat], _ index: Int, _ stream: String, _ component: String,
        _ others: inout [SensorSample]
    ) {
        for beat in beats {
            var event = SensorSample(beat.time, stream: SensorEvent.Kind.beats.stream(of: stream), values: [:])
            if let before = states[index].beat, !beat.isFirst {
                event.values["bpm"] = 60 / beat.time.seconds(since: before)
            }
            event.values[component] = beat.value
            states[index].beat = beat.time
            others.append(event)
        }
    }
}

/// Finds QRS complexes as J. Pan and W. J. Tompkins describe (A Real-Time QRS Detection Algorithm, IEEE Transactions
/// on Biomedical Engineering 32, 1985), in samples at a constant rate.
///
/// The energy is the mean square of the slope, from 5 to 15 Hz, over 150 ms. Its peaks are beats or noise by a threshold
/// between the running means of both. In the first 3 s, the means are learned. Where a beat is missing, the largest peak of
/// noise above half the threshold is taken. The time of a beat is the largest deflection of the samples themselves.
struct PeakDetector: Sendable {
    struct Beat: Sendable {
        var time: SensorTime
        var value: Double
        /// Whether the detector has found none before.
        var isFirst: Bool
    }

    private struct Sample: Sendable {
        var time: SensorTime
        var value: Double
        /// The square of the slope.
        var square: Double
    }

    /// A peak of the energy.
    private struct Peak: Sendable {
        var energy: Double
        /// The largest square of the slope.
        var slope: Double
        /// The number of the sample with the largest deflection.
        var number: Int
        var time: SensorTime
        var value: Double
    }

    private let rate: Double
    /// The shortest distance of beats in samples.
    private let refractory: Int
    private let window: Int
    private var filter: SecondOrderSections
    /// The newest values of the filter, the newest first.
    private var band = SIMD4(0.0, 0.0, 0.0, 0.0)
    /// The newest samples, and the number of the first of them.
    private var samples: [Sample] = []
    private var first = 0
    private var sum = 0.0
    private var energy = 0.0

    /// The largest energy since the last peak.
    private var candidate: (number: Int, energy: Double)?
    /// The peaks while the levels are learned, and then the peaks of noise since the last beat.
    private var others: [Peak] = []
    private var isLearning = true
    /// The sum of energies, and the largest one of each second, while the levels are learned.
    private var total = 0.0
    private var maxima: [Double] = []
    /// The running means of the energies of beats and noise.
    private var (signal, noise, least) = (0.0, 0.0, 0.0)
    private var last: Peak?
    /// The newest distances of beats in samples.
    private var distances = MovingWindow<Double>(8)
    /// The numbers of the last sample of a beat that is not missing, and of the sample at which that is known.
    private var (expected, deadline) = (Int.max, Int.max)

    private static let (learning, longestTWave, delay) = (3.0, 0.36, 0.045)

    /// Throws a `parameter` error if the rate is not above 30 samples a second, or above 20,000.
    init(rate: Double, refractory: Double) throws(MediaError) {
        guard rate <= 20_000 else {
            throw ErrorSite(.parameter, step: .filter)(
                "\(rate.shortDescription) samples a second are more than 20000", "resample before")
        }
        filter = try SecondOrderSections(butterworth: .between(5, 15), order: 2, rate: rate)
        self.rate = rate
        self.refractory = max(1, Int(refractory * rate))
        window = max(1, Int(0.15 * rate))
    }

    mutating func add(_ value: Double, at time: SensorTime, _ beats: inout [Beat]) {
        if samples.isEmpty { filter.start(value) }
        let next = filter.next(value)
        let slope = (2 * next + band.x - band.z - 2 * band.w) / 8
        band = SIMD4(next, band.x, band.y, band.z)
        samples.append(Sample(time: time, value: value, square: slope * slope))
        let number = first + samples.count - 1
        sum += slope * slope - (samples.count > window ? samples[samples.count - 1 - window].square : 0)
        trim()
        guard sum.isFinite else {
            // Huge values leave a state that is of no use.
            finish(&beats)
            if let other = try? PeakDetector(rate: rate, refractory: Double(refractory) / rate) { self = other }
            return
        }
        let before = energy
        energy = max(0, sum / Double(window))
        if isLearning {
            total += energy
            let second = Int(Double(number) / rate)
            while maxima.count <= second { maxima.append(0) }
            maxima[second] = max(maxima[second], energy)
        }
        if energy > before, energy > candidate?.energy ?? 0 { candidate = (number, energy) }
        if let peak = candidate, number - peak.number >= refractory {
            candidate = nil
            take(peak, &beats)
        }
        if isLearning, number >= Int(Self.learning * rate) { learn(number, &beats) }
        if number > deadline { searchBack(number, &beats) }
    }

    /// Ends the input.
    mutating func finish(_ beats: inout [Beat]) {
        if let peak = candidate { take(peak, &beats) }
        candidate = nil
        if isLearning { learn(first + samples.count, &beats) }
    }

    /// Keeps the samples that peaks of the energy refer to.
    private mutating func trim() {
        let count = Int(rate) + refractory + window
        guard samples.count > 2 * count else { return }
        first += samples.count - count
        samples.removeFirst(samples.count - count)
        // The sum is made anew, so that rounding errors do not add up.
        sum = samples.suffix(window).reduce(0) { $0 + $1.square }
    }

    /// Takes a peak of the energy, after which none was larger for the refractory time.
    private mutating func take(_ peak: (number: Int, energy: Double), _ beats: inout [Beat]) {
        // The filter delays the complex, which lies in the window before the peak.
        let end = peak.number - Int(Self.delay * rate)
        guard let deflection = deflection(from: end - window, to: end) else { return }
        let sample = samples[deflection - first]
        // Rounding errors of a constant value are no peaks.
        guard peak.energy > 1e-20 * sample.value * sample.value else { return }
        let slope = samples[max(0, peak.number - window - first)...(peak.number - first)].reduce(0) {
            max($0, $1.square)
        }
        let found = Peak(
            energy: peak.energy, slope: slope, number: deflection, time: sample.time, value: sample.value)
        if isLearning { others.append(found) } else { classify(found, &beats) }
    }

    /// Returns the number of the sample that is farthest from the median around a complex.
    private func deflection(from start: Int, to end: Int) -> Int? {
        func range(_ margin: Double) -> Range<Int>? {
            let low = max(0, start - Int(margin * rate) - first)
            let high = min(samples.count, end + Int(margin * rate) + 1 - first)
            return low < high ? low..<high : nil
        }
        guard let surroundings = range(0.125), let complex = range(0.025) else { return nil }
        let sorted = samples[surroundings].map(\.value).sorted()
        let median = sorted[sorted.count / 2]
        return complex.max { abs(samples[$0].value - median) < abs(samples[$1].value - median) }.map { $0 + first }
    }

    /// Sets the levels from the first seconds, and finds the beats in them.
    private mutating func learn(_ number: Int, _ beats: inout [Beat]) {
        isLearning = false
        let peaks = others
        others = []
        // The median of the seconds, so that a disturbance in one of them does no harm.
        signal = maxima.isEmpty ? 0 : maxima.sorted()[maxima.count / 2]
        noise = min(signal, total / Double(max(1, number))) / 2
        least = signal / 50
        deadline = number + Int(2 * rate)
        for peak in peaks { classify(peak, &beats) }
    }

    /// The energy above which a peak is a beat.
    private var threshold: Double { noise + (signal - noise) / 4 }

    private mutating func classify(_ peak: Peak, _ beats: inout [Beat]) {
        if let last {
            let distance = peak.number - last.number
            guard distance >= refractory else { return }
            // A T wave is less than half as steep as the complex before it.
            if Double(distance) < Self.longestTWave * rate, peak.slope < last.slope / 4 { return reject(peak) }
        }
        if peak.energy > threshold { accept(peak, weight: 0.125, &beats) } else { reject(peak) }
    }

    private mutating func reject(_ peak: Peak) {
        noise += 0.125 * (peak.energy - noise)
        if others.count == 64 { others.removeFirst() }
        others.append(peak)
    }

    private mutating func accept(_ peak: Peak, weight: Double, _ beats: inout [Beat]) {
        // A disturbance that is taken for a beat has little weight.
        signal = max(least, signal + weight * (min(peak.energy, 4 * signal) - signal))
        if let last { distances.add(Double(peak.number - last.number)) }
        beats.append(Beat(time: peak.time, value: peak.value, isFirst: last == nil))
        last = peak
        others.removeAll { $0.number <= peak.number }
        let mean = distances.values.reduce(0) { $0 + $1 / Double(distances.values.count) }
        // The energy's peak is confirmed so much later than the complex.
        let late = Double(refractory + window) + Self.delay * rate
        expected = peak.number + Int(min(1.66 * (mean > 0 ? mean : rate), 3 * rate))
        deadline = expected + Int(late)
    }

    /// Looks for a beat among what counted as noise, or lowers the levels.
    private mutating func searchBack(_ number: Int, _ beats: inout [Beat]) {
        let earliest = last.map { $0.number + Int(Self.longestTWave * rate) } ?? 0
        let missed = others.filter {
            (earliest...max(earliest, expected)).contains($0.number) && $0.energy > threshold / 2
        }
        .max { $0.energy < $1.energy }
        if let missed { return accept(missed, weight: 0.25, &beats) }
        (signal, noise) = (max(least, signal / 2), noise / 2)
        (expected, deadline) = (number, number + Int(rate))
    }
}
