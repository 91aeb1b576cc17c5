internal import WayreelCore
internal import WayreelDrawing
internal import WayreelEngine

extension SensorPicture {
    /// The picture as lanes. Throws a `parameter` error for lanes of channels that cannot share a scale.
    func chart() throws(MediaError) -> LaneChart {
        let theme: ChartTheme = plot.theme == .dark ? .dark : .light
        var groups: [[Int]] = []
        for (index, channel) in channels.enumerated() {
            let place = channel.selection.lane.flatMap { lane in
                groups.firstIndex { channels[$0[0]].selection.lane == lane }
            }
            if let place { groups[place].append(index) } else { groups.append([index]) }
        }
        var lanes: [LaneChart.Lane] = []
        for group in groups { lanes.append(try lane(group, theme)) }
        var chart = LaneChart(title: heading, summary: summary, lanes: lanes, time: timeAxis)
        chart.credit = credit
        chart.marks = marks(lanes: groups)
        return chart
    }

    private func lane(_ group: [Int], _ theme: ChartTheme) throws(MediaError) -> LaneChart.Lane {
        let members = group.map { channels[$0] }
        let scale = members[0].selection.scale
        guard members.allSatisfy({ $0.selection.scale == scale }) else {
            throw MediaError(
                .parameter, step: .plot,
                reason: "the lane '\(members[0].selection.lane ?? "")' has both linear and logarithmic scales",
                advice: "use one of them, or two lanes")
        }
        let kind: ChartScale.Kind = scale == .log ? .log : .linear
        // The name of a lane stands for that of the stream.
        let isOneStream = members.count > 1 && Set(members.map(\.channel.stream)).count == 1
        let lines = zip(group, members).map { index, channel in
            var line = LaneChart.Line(
                name: isOneStream ? channel.selection.label ?? channel.channel.component : channel.name,
                unit: channel.unit ?? "",
                color: channel.selection.color ?? theme.streams[index % theme.streams.count],
                runs: runs(channel.parts, channel, kind, halfTurn: halfTurn(of: channel)))
            line.style =
                switch channel.selection.line {
                case .line: .line
                case .steps: .steps
                case .points: .points
                }
            line.rings = channel.beats.flatMap(\.samples).filter { kind == .linear || $0.value > 0 }.map(point)
            if plot.showsRaw {
                line.faintRuns = runs(channel.raw, channel, kind, halfTurn: halfTurn(of: channel, isFiltered: false))
                line.dropped = channel.dropped.flatMap(\.samples).filter { kind == .linear || $0.value > 0 }.map(point)
            }
            return line
        }
        var lane = LaneChart.Lane(scale: self.scale(of: members, kind), lines: lines)
        lane.name = members[0].selection.lane ?? ""
        for value in members.flatMap(\.selection.thresholds) where !lane.thresholds.contains(value) {
            lane.thresholds.append(value)
        }
        return lane
    }

    private func point(_ sample: SensorTrace.Sample) -> LaneChart.Point {
        LaneChart.Point(share: share(of: sample.time), value: sample.value)
    }

    /// `halfTurn`: the step from a sample to the next one over which there is no line.
    private func runs(
        _ parts: [SensorTrace.Part], _ channel: PlottedChannel, _ kind: ChartScale.Kind, halfTurn: Double
    ) -> [[LaneChart.Point]] {
        SensorTrace.runs(parts, usualInterval: channel.usualInterval, gap: plot.gap).flatMap { run in
            let samples = run.flatMap(\.samples)
            guard kind == .log else { return turns(samples[...], channel, halfTurn) }
            return samples.split { $0.value <= 0 }.flatMap { turns($0, channel, halfTurn) }
        }
    }

    /// Half a turn of a channel that is an angle; infinite for others, and where a filter has made it a difference.
    private func halfTurn(of channel: PlottedChannel, isFiltered: Bool = true) -> Double {
        let (name, stream) = (channel.channel.component, channel.channel.stream)
        let isDifference = filters.contains { filter in
            Cycle.differences.contains(filter.name) && filter.target.includes(name, of: stream)
        }
        if isFiltered, isDifference { return .infinity }
        return Cycle.period(of: name, unit: channel.unit).map { $0 / 2 } ?? .infinity
    }

    /// Breaks a line where an angle begins again.
    private func turns(
        _ samples: ArraySlice<SensorTrace.Sample>, _ channel: PlottedChannel, _ halfTurn: Double
    ) -> [[LaneChart.Point]] {
        guard halfTurn < .infinity else { return [samples.map(point)] }
        var runs: [[LaneChart.Point]] = [[]]
        var last: SensorTrace.Sample?
        for sample in samples {
            if let last, abs(sample.value - last.value) > halfTurn {
                // A step holds its value until the next one.
                if channel.selection.line == .steps {
                    runs[runs.count - 1].append(point(SensorTrace.Sample(time: sample.time, value: last.value)))
                }
                runs.append([])
            }
            runs[runs.count - 1].append(point(sample))
            last = sample
        }
        return runs
    }

    private func scale(of members: [PlottedChannel], _ kind: ChartScale.Kind) -> ChartScale {
        var fixed: ClosedRange<Double>?
        var drawn: ClosedRange<Double>?
        for channel in members {
            if case .fixed(let range) = channel.selection.range {
                fixed =
                    fixed.map { min($0.lowerBound, range.lowerBound)...max($0.upperBound, range.upperBound) } ?? range
            }
            let sets = [channel.parts] + (plot.showsRaw ? [channel.raw, channel.dropped] : [])
            for parts in sets {
                guard let range = Self.range(of: parts, channel.selection.range == .robust, kind) else { continue }
                drawn =
                    drawn.map { min($0.lowerBound, range.lowerBound)...max($0.upperBound, range.upperBound) } ?? range
            }
        }
        if let fixed { return ChartScale(kind, fixed) }
        // Thresholds near the values are shown too.
        if var range = drawn {
            let reach = range.upperBound - range.lowerBound
            for value in members.flatMap(\.selection.thresholds) where kind == .linear || value > 0 {
                guard value >= range.lowerBound - 2 * reach, value <= range.upperBound + 2 * reach else { continue }
                range = min(range.lowerBound, value)...max(range.upperBound, value)
            }
            return .around(range, kind)
        }
        return ChartScale(kind, kind == .log ? 1...10 : 0...1)
    }

    private static func range(
        of parts: [SensorTrace.Part], _ isRobust: Bool, _ kind: ChartScale.Kind
    ) -> ClosedRange<Double>? {
        var (lows, highs): ([Double], [Double]) = ([], [])
        for part in parts where kind == .linear || part.highest.value > 0 {
            // Of a part that reaches below 0, the least value above it is not known.
            let low = kind == .linear || part.lowest.value > 0 ? part.lowest.value : part.highest.value
            lows.append(low)
            highs.append(part.highest.value)
        }
        guard let least = lows.min(), let greatest = highs.max() else { return nil }
        guard isRobust, lows.count >= 100 else { return least...greatest }
        let hundredth = lows.count / 100
        let (lower, upper) = (lows.sorted()[hundredth], highs.sorted()[highs.count - 1 - hundredth])
        return lower <= upper ? lower...upper : least...greatest
    }

    /// The marks of the recording and those that were asked for, as far as they are within the plot.
    private var shownMarks: [SensorMark] {
        let asked = plot.marks.compactMap { mark -> SensorMark? in
            switch mark.moment {
            case .time(let time): SensorMark(time, text: mark.text)
            case .seconds(let seconds):
                SensorTime(seconds: seconds).map {
                    SensorMark(SensorTime(microseconds: origin + $0.microseconds), text: mark.text)
                }
            }
        }
        let shown = (head.marks + asked + spans).filter { mark in
            mark.time.microseconds <= window.upperBound && mark.end >= window.lowerBound
                && (mark.channel == nil || channels.contains { $0.channel.name == mark.channel })
        }
        return Array(shown.prefix(10_000))
    }

    /// The moments of marks in a part of the window, in seconds from its start.
    func marks(in window: ClosedRange<Int64>) -> [(seconds: Double, text: String)] {
        shownMarks.filter { window.contains($0.time.microseconds) }.map { mark in
            (Double(mark.time.microseconds - window.lowerBound) / 1e6, mark.text)
        }
    }

    private func marks(lanes groups: [[Int]]) -> [LaneChart.Mark] {
        // Of the times beyond a threshold of a channel, the first says what they are.
        let found = Set(spans)
        var named: Set<String> = []
        return shownMarks.map { mark in
            var text = mark.text
            if found.contains(mark) {
                text = "\(mark.channel ?? "") \(text)"
                if !named.insert(text).inserted { text = "" }
            }
            let lane = mark.channel.flatMap { name in
                groups.firstIndex { $0.contains { channels[$0].channel.name == name } }
            }
            return LaneChart.Mark(
                share(of: mark.time.microseconds)...share(of: mark.end), text: text, lane: lane)
        }
    }

    // MARK: Times

    private var timeStyle: SensorPlot.TimeAxis {
        if let time = plot.time { return time }
        guard head.notation == .date else { return .seconds }
        return window.upperBound - window.lowerBound > 129_600_000_000 ? .date : .clock
    }

    var timeAxis: @Sendable (Int) -> ChartAxis {
        let (lower, upper) = (Double(window.lowerBound) / 1e6, Double(window.upperBound) / 1e6)
        let style = timeStyle
        guard style != .seconds, let clock = LocalClock(plot.zone) else {
            // Differences of whole numbers are exact.
            let start = Double(window.lowerBound - origin) / 1e6
            let end = Double(window.upperBound - origin) / 1e6
            return { count in .seconds(start...end, atMost: count) }
        }
        return { count in
            .clock(lower...upper, atMost: count, style: style == .date ? .date : .clock, zone: clock.zone) { seconds in
                clock.offset(Timestamp(milliseconds: Int64((seconds * 1000).rounded())))
            }
        }
    }

    /// The title, with the date of the start if the axis does not show it.
    private var heading: String {
        guard timeStyle == .seconds, head.notation == .date else { return title }
        let start = SensorTime(microseconds: origin).timestamp.description
        return title.isEmpty ? "from \(start)" : "\(title), from \(start)"
    }

    func text(_ time: Int64) -> String {
        if timeStyle == .seconds { return "\(Self.text(Double(time - origin) / 1e6)) s" }
        return SensorTime(microseconds: time).text(.date)
    }

    /// Four digits of a number.
    static func text(_ number: Double) -> String {
        guard number != 0, number.isFinite else { return "0" }
        guard (1e-6..<1e15).contains(number.magnitude) else { return "\(number)" }
        return number.rounded(digits: 4).shortDescription
    }

    // MARK: Description

    /// `3 channels from 2 s to 12 s; ecg.ii: 2500 samples, -0.52 mV at 4.1 s to 1.3 mV at 3.2 s; …`
    var summary: String {
        let count = "\(channels.count.counted("channel")) from \(text(window.lowerBound)) to \(text(window.upperBound))"
        let each = channels.map { channel in
            guard let extremes = channel.extremes else { return "\(channel.name): no samples" }
            let unit = channel.unit.map { $0 == "°" ? $0 : " \($0)" } ?? ""
            let ends = [extremes.lowest, extremes.highest].map { "\(Self.text($0.value))\(unit) at \(text($0.time))" }
            let gaps =
                SensorTrace.runs(channel.parts, usualInterval: channel.usualInterval, gap: plot.gap).count - 1
            let left =
                (channel.dropped.isEmpty ? "" : ", some dropped by filters")
                + (channel.beatCount > 0 ? ", \(channel.beatCount.counted("beat"))" : "")
            return
                "\(channel.name): \(channel.count.counted("sample")), \(ends[0]) to \(ends[1])\(gaps > 0 ? ", \(gaps.counted("gap"))" : "")\(left)"
        }
        let marks = shownMarks.prefix(50).map { "\($0.text) at \(text($0.time.microseconds))" }
        return
            ([count] + each + (marks.isEmpty ? [] : ["marks: " + marks.joined(separator: ", ")])
            + (credit.isEmpty ? [] : [credit])).joined(separator: "; ")
    }
}

extension SensorMark {
    /// When it ends, in microseconds.
    fileprivate var end: Int64 {
        time.microseconds + Int64((seconds.isFinite ? min(max(seconds, 0), 1e12) : 0) * 1e6)
    }
}
