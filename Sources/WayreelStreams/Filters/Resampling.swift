internal import Glibc
internal import WayreelCore

/// Samples at even times, with anti-aliasing.
///
/// A windowed sinc low-pass filter, with its end below half of the lower of both rates, is evaluated at each time of the
/// output. Each sample counts by the time that it stands for, so that times may be irregular.
///
/// - The output begins with the first sample of a stream; sample n is n / rate later, without accumulated rounding.
/// - A stream is resampled as a whole. What the target does not include, such as the accuracy, has the latest value. If
///   the target is a component, the others of its streams stay as they are, in samples of their own.
/// - Beyond the beginning and end, and at gaps, the signal is continued by its reflection through the last point. In a gap,
///   which is longer than 8 intervals of the input and 2 of the output, there is no output. Up to 7 missing samples
///   are interpolated.
/// - A sample that is not later than the latest of its stream has no weight.
struct Resampling: SensorFilterStep {
    private let target: SensorFilter.Target
    private let rate: Double
    private let kernel: SincKernel
    private var streams: [ResampledStream] = []

    /// - Parameters:
    ///   - rate: In samples a second.
    ///   - width: The samples of the lower rate on each side of the filter: its delay.
    init(_ target: SensorFilter.Target, rate: Double, width: Int) {
        self.target = target
        self.rate = rate
        kernel = SincKernel(width: width)
    }

    mutating func apply(
        _ sample: inout SensorSample, _ others: inout [SensorSample]
    ) throws(MediaError) -> SensorFilterOutcome {
        guard target.isStream(sample.stream) || target.isIn(sample) else { return .pass }
        var taken = sample
        if target.isStream(sample.stream) {
            sample.values = [:]
        } else {
            for name in taken.values.names {
                if target.includes(name, of: sample.stream) {
                    sample.values[name] = nil
                } else {
                    taken.values[name] = nil
                }
            }
        }
        do throws(MediaError) {
            let index = streams.firstIndex { $0.name == taken.stream } ?? streams.count
            if index == streams.count { streams.append(ResampledStream(taken, rate, kernel)) }
            try streams[index].add(taken, target, &others)
        } catch {
            throw error.naming("\(target):resample")
        }
        return sample.values.isEmpty ? .hold : .pass
    }

    mutating func finish(_ others: inout [SensorSample]) throws(MediaError) {
        for index in streams.indices { try streams[index].finish(target, &others) }
        streams = []
    }
}

/// The part of a stream that is resampled.
private struct ResampledStream: Sendable {
    let name: String
    private let rate: Double
    private let kernel: SincKernel
    private let start: SensorTime
    /// The number of the next output sample.
    private var next: Int64 = 0
    private var latest: SensorTime?
    /// The interval of the input in microseconds; nil while it is measured.
    private var interval: Double?
    private var measuring = SampleInterval()
    private var held: [SensorSample] = []
    /// The names of `components`.
    private var names: [String] = []
    private var components: [ResampledComponent] = []

    init(_ first: SensorSample, _ rate: Double, _ kernel: SincKernel) {
        (name, start) = (first.stream, first.time)
        self.rate = rate
        self.kernel = kernel
    }

    mutating func add(
        _ sample: SensorSample, _ target: SensorFilter.Target, _ output: inout [SensorSample]
    ) throws(MediaError) {
        if let latest, sample.time <= latest { return }
        if interval == nil {
            latest = sample.time
            held.append(sample)
            if measuring.add(sample.time) { try release(target, &output) }
            return
        }
        adapt(to: sample.time)
        take(sample, target, &output)
    }

    mutating func finish(_ target: SensorFilter.Target, _ output: inout [SensorSample]) throws(MediaError) {
        if interval == nil { try release(target, &output) }
        emit(isEnd: true, &output)
    }

    /// Resamples the samples that were held while their rate was measured.
    private mutating func release(
        _ target: SensorFilter.Target, _ output: inout [SensorSample]
    ) throws(MediaError) {
        let interval = measuring.interval ?? 1e6 / rate
        guard rate <= 1000 * 1e6 / interval else {
            throw ErrorSite(.parameter, step: .filter)(
                "\(rate.shortDescription) samples a second are more than 1000 for each sample of '\(name)'",
                "choose a lower rate")
        }
        guard rate >= 1e6 / interval / 100_000 else {
            throw ErrorSite(.parameter, step: .filter)(
                "\(rate.shortDescription) samples a second are less than one for 100000 of '\(name)'",
                "resample in two steps")
        }
        self.interval = interval
        latest = nil
        measuring = SampleInterval()
        for sample in held { take(sample, target, &output) }
        held = []
    }

    /// Follows a rate that changes.
    private mutating func adapt(to time: SensorTime) {
        guard measuring.add(time) else { return }
        if let now = measuring.interval, let interval, abs(now / interval - 1) > 0.05 { self.interval = now }
        measuring = SampleInterval()
        _ = measuring.add(time)
    }

    /// The longest time between samples that is not a gap, in microseconds.
    private var longest: Double { max(8 * (interval ?? 0), 2 * 1e6 / rate) }
    /// The unit of the kernel: the longer interval, in microseconds.
    private var unit: Double { max(interval ?? 0, 1e6 / rate) }

    private mutating func take(
        _ sample: SensorSample, _ target: SensorFilter.Target, _ output: inout [SensorSample]
    ) {
        if let latest, Double(latest.microseconds(until: sample.time)) > longest {
            emit(isEnd: true, &output)
            for index in components.indices { components[index].removeAll() }
            // The next time of the grid; a time on the grid may have been rounded.
            let number = (sample.time.seconds(since: start) * rate - 1e-6).rounded(.up)
            next = max(next, Int64(min(number, 9e18)))
        }
        latest = sample.time
        let interval = interval ?? 0
        for (index, name) in sample.values.names.enumerated() {
            let place = index < names.count && names[index] == name ? index : place(of: name, target)
            components[place].add(sample.values[index], at: sample.time, interval: interval)
        }
        emit(isEnd: false, &output)
    }

    /// Returns the index of a component.
    private mutating func place(of name: String, _ target: SensorFilter.Target) -> Int {
        if let index = names.firstIndex(of: name) { return index }
        let index = names.firstIndex { $0 > name } ?? names.count
        names.insert(name, at: index)
        let isHeld = !target.includes(name, of: self.name)
        components.insert(ResampledComponent(name, isHeld: isHeld), at: index)
        return index
    }

    /// Appends the output samples for which enough input is there: until half the kernel before the latest, or at the
    /// end until the latest.
    private mutating func emit(isEnd: Bool, _ output: inout [SensorSample]) {
        guard let latest else { return }
        let (unit, longest) = (unit, longest)
        let half = kernel.reach(unit)
        while true {
            let offset = (Double(next) * 1e6 / rate).rounded()
            guard offset < 9e18 else { return }
            let time = SensorTime(microseconds: start.microseconds &+ Int64(offset))
            guard time.microseconds(until: latest) >= (isEnd ? 0 : half) else { break }
            next += 1
            var values = SensorSample.Values([])
            for index in components.indices {
                if let value = components[index].value(at: time, kernel, unit: unit, longest: longest) {
                    values[names[index]] = value
                }
            }
            if !values.isEmpty { output.append(SensorSample(time, stream: self.name, values: values)) }
        }
    }
}

/// The samples of a component that the kernel reaches.
private struct ResampledComponent: Sendable {
    private let isHeld: Bool
    private let cycle: Cycle?
    private var unwrapping: Unwrapping
    /// The times in microseconds, and the values, which do not wrap around.
    private var samples: [(time: Int64, value: Double)] = []
    /// The index of the last sample that is not later than the latest output.
    private var current = 0

    init(_ name: String, isHeld: Bool) {
        self.isHeld = isHeld
        cycle = Cycle(of: name, period: 0)
        unwrapping = Unwrapping(isHeld ? nil : cycle)
    }

    mutating func removeAll() {
        samples.removeAll(keepingCapacity: true)
        current = 0
    }

    /// Adds a sample, and before it those that are missing.
    mutating func add(_ value: Double, at time: SensorTime, interval: Double) {
        let value = unwrapping.next(value)
        if !isHeld, let last = samples.last {
            let since = Double(time.microseconds - last.time)
            if since > 1.5 * interval, since <= 8 * interval {
                let count = Int((since / interval).rounded())
                for index in 1..<max(1, count) {
                    let part = Double(index) / Double(count)
                    samples.append((last.time + Int64(since * part), last.value + (value - last.value) * part))
                }
            }
        }
        samples.append((time.microseconds, value))
    }

    /// Returns the value at a time that is not before the one of the call before; nil in a gap.
    mutating func value(at time: SensorTime, _ kernel: SincKernel, unit: Double, longest: Double) -> Double? {
        let time = time.microseconds
        while current + 1 < samples.count, samples[current + 1].time <= time { current += 1 }
        guard current < samples.count, samples[current].time <= time else { return nil }
        if isHeld {
            samples.removeFirst(current)
            current = 0
            return samples[0].value
        }
        if samples[current].time < time {
            guard current + 1 < samples.count,
                Double(samples[current + 1].time - samples[current].time) <= longest
            else { return nil }
        }
        let value = filtered(at: time, kernel, unit: unit, longest: longest)
        trim(before: time - kernel.reach(unit))
        return value.isFinite ? cycle?.wrapped(value) ?? value : nil
    }

    /// Removes what the kernel does not reach any more, but one sample.
    private mutating func trim(before time: Int64) {
        var count = 0
        while count + 1 < current, samples[count + 1].time < time { count += 1 }
        guard count > samples.count / 2 else { return }
        samples.removeFirst(count)
        current -= count
    }

    private func filtered(at time: Int64, _ kernel: SincKernel, unit: Double, longest: Double) -> Double {
        let reach = kernel.reach(unit)
        // The samples within reach, up to gaps.
        var (first, last) = (current, current)
        while first > 0, samples[first].time > time - reach,
            Double(samples[first].time - samples[first - 1].time) <= longest
        { first -= 1 }
        while last + 1 < samples.count, samples[last].time < time + reach,
            Double(samples[last + 1].time - samples[last].time) <= longest
        { last += 1 }
        guard first < last else { return samples[current].value }
        let (start, end) = (samples[first], samples[last])
        guard time - start.time < reach, end.time - time < reach else {
            return sum(first, last, at: time, kernel, unit: unit)
        }
        // Both ends are near: what a single reflection lacks is little without the line between them.
        var flat = self
        let slope = (end.value - start.value) / Double(end.time - start.time)
        for index in first...last {
            flat.samples[index].value -= start.value + slope * Double(samples[index].time - start.time)
        }
        let line = start.value + slope * Double(time - start.time)
        return line + flat.sum(first, last, at: time, kernel, unit: unit)
    }

    /// Returns the weighted mean of samples, and of their reflections through the first and the last.
    private func sum(_ first: Int, _ last: Int, at time: Int64, _ kernel: SincKernel, unit: Double) -> Double {
        let reach = kernel.reach(unit)
        /// The time that a sample stands for.
        func duration(_ index: Int) -> Double {
            if index == first { return Double(samples[first + 1].time - samples[first].time) }
            if index == last { return Double(samples[last].time - samples[last - 1].time) }
            return Double(samples[index + 1].time - samples[index - 1].time) / 2
        }
        var (sum, weights) = (0.0, 0.0)
        func add(_ value: Double, at other: Int64, _ duration: Double) {
            let weight = kernel.value(Double(other - time) / unit) * duration
            sum += weight * value
            weights += weight
        }
        add(samples[first].value, at: samples[first].time, duration(first))
        add(samples[last].value, at: samples[last].time, duration(last))
        // Where the time goes: without the tests of `add`.
        let scale = Double(SincKernel.steps) / unit
        samples.withUnsafeBufferPointer { samples in
            kernel.table.withUnsafeBufferPointer { table in
                for index in first + 1..<last {
                    let duration = Double(samples[index + 1].time - samples[index - 1].time) / 2
                    // Within the table, since only the first and the last sample may be beyond its reach.
                    let position = min(Double(abs(samples[index].time - time)) * scale, Double(table.count - 2))
                    let place = Int(position)
                    let weight =
                        (table[place] + (table[place + 1] - table[place]) * (position - Double(place))) * duration
                    sum += weight * samples[index].value
                    weights += weight
                }
            }
        }
        // The reflections through the ends, if the kernel reaches beyond them.
        for (end, indices) in [
            (samples[first], stride(from: first + 1, through: last, by: 1)),
            (samples[last], stride(from: last - 1, through: first, by: -1)),
        ] where abs(end.time - time) < reach {
            for index in indices {
                let mirrored = 2 * end.time - samples[index].time
                guard abs(mirrored - time) < reach else { break }
                add(2 * end.value - samples[index].value, at: mirrored, duration(index))
            }
        }
        // Times that are too irregular for the kernel.
        guard weights > unit / 4 else { return interpolated(at: time) }
        return sum / weights
    }

    private func interpolated(at time: Int64) -> Double {
        guard current + 1 < samples.count else { return samples[current].value }
        let (a, b) = (samples[current], samples[current + 1])
        return a.value + (b.value - a.value) * Double(time - a.time) / Double(b.time - a.time)
    }
}

/// A low-pass filter: a sinc with a Kaiser window, for 75 dB in the stop band (J. F. Kaiser, 1974).
///
/// With the interval of samples as the unit, the stop band begins at half their rate, and the pass band ends at
/// (1 / 2 − 2.34 / width) of it; of widths below 10, that is higher, at the cost of aliases.
private struct SincKernel: Sendable {
    /// Half the length.
    let width: Int
    /// The values from 0 to `width`, and a further one.
    let table: [Double]

    /// The values of the table for 1.
    static let steps = 512

    init(width: Int) {
        self.width = width
        let (attenuation, steps) = (75.0, Double(Self.steps))
        let transition = (attenuation - 7.95) / (14.36 * 2 * Double(width))
        let end = 1 - min(0.5, transition)
        let beta = 0.1102 * (attenuation - 8.7)
        table = (0...width * Self.steps + 1).map { index in
            let x = Double(index) / steps
            let angle = .pi * end * x
            let sinc = angle == 0 ? 1 : sin(angle) / angle
            let part = x / Double(width)
            return part < 1 ? end * sinc * Self.bessel(beta * (1 - part * part).squareRoot()) / Self.bessel(beta) : 0
        }
    }

    /// Returns half the length in microseconds, at most what is beyond all recordings.
    func reach(_ unit: Double) -> Int64 { Int64(min(unit * Double(width), 4e18)) }

    func value(_ x: Double) -> Double {
        let position = abs(x) * Double(Self.steps)
        guard position < Double(width * Self.steps) else { return 0 }
        let index = Int(position)
        return table[index] + (table[index + 1] - table[index]) * (position - Double(index))
    }

    /// The modified Bessel function of the first kind, of order 0.
    private static func bessel(_ x: Double) -> Double {
        var (sum, term, index) = (1.0, 1.0, 1.0)
        while term > sum * 1e-17 {
            term *= (x / 2 / index) * (x / 2 / index)
            sum += term
            index += 1
        }
        return sum
    }
}
