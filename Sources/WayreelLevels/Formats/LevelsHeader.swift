internal import WayreelCore

/// Header members of Wayreel's JSON and of the first line of NDJSON; see `Documentation/levels.md`.
///
/// The reader uses the same names.
enum LevelsHeader {
    static let schema = "wayreel.levels"
    static let version = 1

    /// Names of ``LevelGrid`` cases.
    enum GridName: String {
        case rate, samples, points
    }

    enum Value {
        case text(String), texts([String]), whole(Int), flag(Bool), missing
        /// A number with at most the given number of decimals.
        case decimal(Double, Int)
        case members([Member])
    }

    struct Member {
        let name: String
        let value: Value

        init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }
}

extension LevelsDocument {
    /// The header members in order, without the channels' members.
    var header: [LevelsHeader.Member] {
        let grid = levels.grid
        let sampleRate = levels.format.sampleRate
        let lastEdge = grid.edge(levels.bucketCount, sampleRate: sampleRate, sampleCount: levels.sampleCount)
        let (name, rate): (LevelsHeader.GridName, Rational?) =
            switch grid {
            case .rate(let rate): (.rate, rate)
            case .samples(let size): (.samples, Rational(sampleRate, size))
            case .points(let count): (.points, Rational(count * sampleRate, levels.sampleCount))
            }
        var members: [LevelsHeader.Member] = [
            .init("schema", .text(LevelsHeader.schema)), .init("version", .whole(LevelsHeader.version)),
        ]
        if let source {
            let parts = [("file", source.file), ("codec", source.codec)]
            members.append(
                .init("source", .members(parts.map { .init($0, $1.map(LevelsHeader.Value.text) ?? .missing) })))
        }
        members += [
            .init("sampleRate", .whole(sampleRate)), .init("sampleCount", .whole(levels.sampleCount)),
            .init("duration", .decimal(levels.duration, 6)), .init("bucketCount", .whole(levels.bucketCount)),
            .init("bucketsBy", .text(name.rawValue)), .init("rate", .decimal(rate?.value ?? 0, 6)),
            .init("rateExact", .text(rate?.description ?? "0")),
            .init("samplesPerBucket", .decimal(Double(sampleRate) / (rate?.value ?? 1), 6)),
            .init("lastBucketSamples", .whole(levels.sampleCount - edge(levels.bucketCount - 1))),
            .init("lastBucketIsPartial", .flag(lastEdge > levels.sampleCount)),
        ]
        members += encoding.header(hasMeter: readings.contains(where: \.isOfMeter))
        if !loudness.isEmpty {
            let figures = loudness.map { figure in
                LevelsHeader.Member(figure.name, figure.value.map { .decimal($0, 2) } ?? .missing)
            }
            members.append(.init("loudness", .members(figures)))
        }
        return members
    }
}

extension LevelsEncoding {
    /// The header members of the readings.
    func header(hasMeter: Bool) -> [LevelsHeader.Member] {
        let floor: LevelsHeader.Member? = effectiveUnit == .dBFS ? .init("floor", .decimal(LevelUnit.floor, 0)) : nil
        let meter = hasMeter ? meter.map { LevelsHeader.Member("meter", .text($0.rawValue)) } : nil
        return [.init("unit", .text(effectiveUnit.rawValue)), floor, .init("clamped", .flag(clamp)), meter]
            .compactMap(\.self)
    }

    /// Formats levels in the unit.
    var digits: LevelDigits {
        LevelDigits(effectiveUnit, decimals: decimals ?? effectiveUnit.defaultDecimals, clamps: clamp)
    }
}

extension BufferedOutput {
    /// Appends the members of a JSON object without braces.
    func append(_ members: [LevelsHeader.Member], separator: StaticString) throws(MediaError) {
        for (index, member) in members.enumerated() {
            if index > 0 { try append(separator) }
            try append(quoted: member.name)
            try append(UInt8(ascii: ":"))
            try append(member.value)
        }
    }

    private func append(_ value: LevelsHeader.Value) throws(MediaError) {
        switch value {
        case .text(let text): try append(quoted: text)
        case .texts(let texts):
            try append(UInt8(ascii: "["))
            for (index, text) in texts.enumerated() {
                if index > 0 { try append(UInt8(ascii: ",")) }
                try append(quoted: text)
            }
            try append(UInt8(ascii: "]"))
        case .whole(let number): try append(number)
        case .flag(let isSet): try append(isSet ? "true" : "false")
        case .missing: try append("null")
        case .decimal(let number, let decimals):
            let scaled = (0..<decimals).reduce(number) { scaled, _ in scaled * 10 }
            // JSON has neither infinity nor NaN.
            if let whole = Int(exactly: scaled.rounded(.toNearestOrEven)) {
                try append(whole, decimals: decimals)
            } else {
                try append("null")
            }
        case .members(let members):
            try append(UInt8(ascii: "{"))
            try append(members, separator: ",")
            try append(UInt8(ascii: "}"))
        }
    }
}
