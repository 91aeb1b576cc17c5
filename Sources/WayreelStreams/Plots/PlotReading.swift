internal import WayreelCore
internal import WayreelDrawing
internal import WayreelEngine

/// Reads a recording into the traces of a plot.
struct PlotReading {
    private let plot: SensorPlot
    private let filters: SensorFilterChain
    private(set) var sink: PlotSink

    init(_ plot: SensorPlot, filters: SensorFilterChain) {
        (self.plot, self.filters) = (plot, filters)
        sink = PlotSink(plot)
    }

    /// The filters that no sample has reached.
    private(set) var idle: [SensorFilter] = []

    /// Throws the errors of reading, and a `limit` error for too many channels.
    mutating func read(_ source: any RecordingSource) throws(MediaError) {
        try sink.choose(source.head)
        if filters.idle.isEmpty {
            while try source.read(into: &sink) { try sink.choose(source.head) }
            return
        }
        var filtering = FilteringSink(sink, filters)
        while try source.read(into: &filtering) {
            try filtering.plot.choose(source.head)
            try filtering.filter(source.head)
        }
        try filtering.finish(source.head)
        sink = filtering.plot
        idle = filtering.filters.idle
    }
}

/// The traces of the channels that a plot shows, and of others until their names are known.
struct PlotSink: SampleSink {
    /// The time of the first sample.
    private(set) var origin: Int64?
    /// By the index of the channel: its samples, those that passed filters, and those that filters dropped.
    private(set) var traces: [SensorTrace] = []
    private(set) var filtered: [SensorTrace] = []
    private(set) var dropped: [SensorTrace] = []
    /// By the index of the channel: the index of its selection; nil if it is not shown.
    private(set) var selections: [Int?] = []

    /// The channels that filters add, such as those of events, with their samples.
    private(set) var added: [(channel: SensorChannel, trace: SensorTrace)] = []
    /// The times beyond thresholds, and those that have begun.
    private var spans: [SensorMark] = []
    private var begun: [SensorMark] = []

    private static let (addedLimit, spanLimit) = (64, 10_000)

    private let plot: SensorPlot
    private let emptyTrace: SensorTrace
    /// The times that are drawn, in microseconds.
    private(set) var window = Int64.min..<Int64.max
    private var isShown: [Bool] = []

    init(_ plot: SensorPlot) {
        self.plot = plot
        emptyTrace = SensorTrace(capacity: plot.traceCapacity)
    }

    mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
        guard times.count > 0 else { return }
        begin(times[0])
        guard has(channel) else { return }
        traces[channel].add(times: times, values: values, in: window)
    }

    mutating func add(_ channel: Int, start: SensorTime, rate: Double, first: Int, values: Span<Double>) {
        guard values.count > 0, rate > 0, rate.isFinite else { return }
        begin(start.microseconds)
        guard has(channel) else { return }
        traces[channel].rate = rate
        traces[channel].add(start: start.microseconds, rate: rate, first: first, values: values, in: window)
    }

    /// `followsGap`: whether samples are known to be missing before it.
    mutating func addFiltered(_ channel: Int, _ time: Int64, _ value: Double, followsGap: Bool) {
        guard window.contains(time), has(channel) else { return }
        if followsGap { filtered[channel].addGap() }
        filtered[channel].add(time, value)
    }

    mutating func addDropped(_ channel: Int, _ time: Int64, _ value: Double) {
        if window.contains(time), has(channel) { dropped[channel].add(time, value) }
    }

    /// Adds a sample of a stream that the recording does not have: that of an event, if filters have added it.
    mutating func addNew(_ sample: SensorSample, of channels: [SensorChannel]) {
        let time = sample.time.microseconds
        let event = SensorEvent(sample, of: channels + added.map(\.channel))
        if let event { add(event) }
        guard window.contains(time) else { return }
        for name in sample.values.names {
            guard let value = sample.values[name], value.isFinite else { continue }
            let known = added.firstIndex { $0.channel.stream == sample.stream && $0.channel.component == name }
            if known == nil {
                guard added.count < Self.addedLimit else { continue }
                added.append((SensorChannel(sample.stream, name, unit: event?.unit(of: name)), emptyTrace))
            }
            added[known ?? added.count - 1].trace.add(time, value)
        }
    }

    private mutating func add(_ event: SensorEvent) {
        let mark = SensorMark(event.time, text: event.kind.rawValue, channel: event.channel.name)
        let place = begun.firstIndex { $0.text == mark.text && $0.channel == mark.channel }
        switch event.phase {
        case .moment: break
        case .begin: if place == nil { begun.append(mark) }
        case .end(let seconds):
            guard let place else { return }
            var span = begun.remove(at: place)
            span.seconds = seconds
            let end = event.time.microseconds
            if end >= window.lowerBound, span.time.microseconds < window.upperBound, spans.count < Self.spanLimit {
                spans.append(span)
            }
        }
    }

    /// The times beyond thresholds; one that has not ended lasts until `end`.
    func spans(until end: Int64) -> [SensorMark] {
        spans
            + begun.filter { $0.time.microseconds <= end }.map { mark in
                var span = mark
                span.seconds = SensorTime(microseconds: end).seconds(since: mark.time)
                return span
            }
    }

    /// Chooses the channels that are known since the last time. Throws a `limit` error for too many.
    mutating func choose(_ head: RecordingHead) throws(MediaError) {
        for (index, channel) in head.channels.enumerated().dropFirst(selections.count) {
            let selection = plot.streams.firstIndex { $0.includes(channel) }
            selections.append(selection)
            _ = has(index)
            isShown[index] = selection != nil
            if selection == nil { traces[index] = emptyTrace }
            if traces[index].rate == nil { traces[index].rate = channel.rate }
        }
        let count = selections.count { $0 != nil }
        guard count <= SensorPlot.channelLimit else {
            throw MediaError(
                .limit, step: .plot,
                reason: "a plot of more than \(SensorPlot.channelLimit) channels has no room for them",
                advice: "choose streams")
        }
    }

    /// The time of a moment; nil without any sample.
    func time(of moment: SensorPlot.Moment) -> Int64? {
        switch moment {
        case .time(let time): time.microseconds
        case .seconds(let seconds):
            origin.flatMap { origin in SensorTime(seconds: seconds).map { origin &+ $0.microseconds } }
        }
    }

    private mutating func begin(_ time: Int64) {
        guard origin == nil else { return }
        origin = time
        guard plot.start != nil || plot.seconds != nil || plot.paper != nil else { return }
        let start = plot.start.flatMap(self.time) ?? time
        let seconds = plot.seconds ?? (plot.paper == nil ? nil : PaperSheet.seconds)
        // The last sample of the window is at its end.
        let end = seconds.map { start &+ Int64(($0 * 1e6).rounded()) &+ 1 } ?? Int64.max
        window = start..<end
    }

    /// Makes room for a channel; returns whether it is shown, or its name is not known yet.
    @inline(__always)
    private mutating func has(_ channel: Int) -> Bool {
        if channel >= isShown.count { makeRoom(channel) }
        return isShown[channel]
    }

    private mutating func makeRoom(_ channel: Int) {
        while isShown.count <= channel {
            isShown.append(true)
            traces.append(emptyTrace)
            filtered.append(emptyTrace)
            dropped.append(emptyTrace)
        }
    }
}

/// Puts samples of one time and stream together, and filters them in the order of time of each piece that is read.
private struct FilteringSink: SampleSink {
    var plot: PlotSink
    private(set) var filters: SensorFilterChain
    private var times: [Int64] = []
    private var values: [Double] = []
    private var channels: [Int] = []
    /// What comes of the sample that is filtered.
    private var results: [SensorSample] = []
    /// The index of each channel by its names.
    private var indices: [SensorChannel: Int] = [:]
    /// By the index of the channel: the times at which samples are missing and which no filtered sample has passed.
    private var gaps: [[Int64]] = []

    /// The most gaps of a channel that wait for filtered samples; of more, the first ones are no gaps.
    private static let gapLimit = 4096

    init(_ plot: PlotSink, _ filters: SensorFilterChain) { (self.plot, self.filters) = (plot, filters) }

    mutating func add(_ channel: Int, times: Span<Int64>, values: Span<Double>) {
        plot.add(channel, times: times, values: values)
        for index in times.indices {
            self.times.append(times[index])
            self.values.append(values[index])
            channels.append(channel)
        }
    }

    mutating func add(_ channel: Int, start: SensorTime, rate: Double, first: Int, values: Span<Double>) {
        guard values.count > 0, rate > 0, rate.isFinite else { return }
        plot.add(channel, start: start, rate: rate, first: first, values: values)
        while gaps.count <= channel { gaps.append([]) }
        var isMissing = false
        for index in values.indices {
            let time = SensorTrace.time(start.microseconds, rate: rate, first &+ index)
            if values[index].isFinite {
                times.append(time)
                self.values.append(values[index])
                channels.append(channel)
            } else if !isMissing {
                gaps[channel].append(time)
            }
            isMissing = !values[index].isFinite
        }
        if gaps[channel].count > Self.gapLimit { gaps[channel].removeFirst(gaps[channel].count - Self.gapLimit) }
    }

    /// Whether a filtered sample is the first one after a gap.
    private mutating func passesGap(_ channel: Int, _ time: Int64) -> Bool {
        guard channel < gaps.count, let gap = gaps[channel].first, gap < time else { return false }
        gaps[channel].removeFirst(gaps[channel].firstIndex { $0 >= time } ?? gaps[channel].count)
        return true
    }

    /// Filters what was read since the last time.
    mutating func filter(_ head: RecordingHead) throws(MediaError) {
        for (index, channel) in head.channels.enumerated().dropFirst(indices.count) {
            indices[SensorChannel(channel.stream, channel.component)] = index
        }
        let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        var position = 0
        while position < order.count {
            let time = times[order[position]]
            let end = order[position...].firstIndex { times[$0] != time } ?? order.count
            try filter(order[position..<end], time, head)
            position = end
        }
        times.removeAll(keepingCapacity: true)
        values.removeAll(keepingCapacity: true)
        channels.removeAll(keepingCapacity: true)
    }

    /// Filters the samples of one time, each of one stream; a component that occurs again begins another one.
    private mutating func filter(
        _ entries: ArraySlice<Int>, _ time: Int64, _ head: RecordingHead
    ) throws(MediaError) {
        var samples: [(stream: String, entries: [Int])] = []
        // The samples of each stream, and how many of them have a channel: all of a recording may have one time.
        var (places, counts): ([String: [Int]], [Int: Int]) = ([:], [:])
        for entry in entries {
            let channel = channels[entry]
            guard channel < head.channels.count else { continue }
            let stream = head.channels[channel].stream
            let count = counts[channel, default: 0]
            counts[channel] = count + 1
            if let own = places[stream], count < own.count {
                samples[own[count]].entries.append(entry)
            } else {
                places[stream, default: []].append(samples.count)
                samples.append((stream, [entry]))
            }
        }
        for (stream, entries) in samples {
            let numbers = entries.map { (head.channels[channels[$0]].component, values[$0]) }
            let sample = SensorSample(SensorTime(microseconds: time), stream: stream, values: .init(numbers))
            let dropped = filters.dropped
            try filters.apply(sample, to: &results)
            let isDropped = filters.dropped > dropped
            takeResults(head)
            if isDropped { for entry in entries { plot.addDropped(channels[entry], time, values[entry]) } }
        }
    }

    /// Adds what the filters have held back.
    mutating func finish(_ head: RecordingHead) throws(MediaError) {
        try filters.finish(to: &results)
        takeResults(head)
    }

    private mutating func takeResults(_ head: RecordingHead) {
        for result in results {
            if !result.values.names.contains(where: { indices[SensorChannel(result.stream, $0)] != nil }) {
                plot.addNew(result, of: head.channels)
                continue
            }
            for component in result.values.names {
                guard let index = indices[SensorChannel(result.stream, component)],
                    let value = result.values[component], value.isFinite
                else { continue }
                let time = result.time.microseconds
                plot.addFiltered(index, time, value, followsGap: passesGap(index, time))
            }
        }
        results.removeAll(keepingCapacity: true)
    }
}
