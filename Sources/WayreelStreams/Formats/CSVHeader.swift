internal import WayreelCore

/// What a header says about a table.
enum CSVHeader {
    /// `time,stream,…`
    case tidy([String])
    /// Sensor Logger's table of all sensors: `sensor,time,seconds_elapsed,…`
    case logged([String])
    /// A time, and a column for each channel.
    case wide(WideLayout)

    private static let shapes = "a CSV header 'time,stream,…' or 'seconds,stream.component,…'"

    /// Reads the first line of a table. `stem` is the name of its file, which names streams that the header does not.
    init(_ line: Span<UInt8>, stem: String) throws(LineDamage) {
        let separator = CSVCells.separator(of: line)
        let names = try CSVCells.texts(line, separator: separator)
        // As of old spreadsheets, whose whole table would be the header.
        guard !line.withUnsafeBufferPointer({ $0.contains(UInt8(ascii: "\r")) }) else {
            throw LineDamage("has a carriage return inside; lines end with LF or CR LF")
        }
        if separator == UInt8(ascii: ","), names.prefix(2) == ["time", "stream"], names.count > 2 {
            for (index, name) in names.enumerated() {
                guard SensorSample.isName(name) else {
                    throw LineDamage("the column's name '\(name)' is not of letters, digits, - and _")
                }
                guard !names[..<index].contains(name) else { throw LineDamage("has two columns '\(name)'") }
            }
            self = .tidy(names)
        } else if names.first == "sensor", names.contains("time") {
            self = .logged(names)
        } else {
            let header = Wide(names, separator: separator, stem: stem)
            guard let layout = try header.layout() else {
                throw LineDamage("is neither a JSON object nor \(Self.shapes)")
            }
            self = .wide(layout)
        }
    }

    /// A header with a column for each channel.
    private struct Wide {
        var names: [String]
        var separator: UInt8
        var stem: String

        init(_ names: [String], separator: UInt8, stem: String) {
            (self.names, self.separator, self.stem) = (names, separator, stem)
        }

        /// Returns nil if there is no column with the time, or none besides.
        func layout() throws(LineDamage) -> WideLayout? {
            let labels = names.map(Label.init)
            guard let timeColumn = labels.firstIndex(where: { $0.timeUnit != nil }), names.count > 1,
                timeColumn < 2, !labels.contains(where: { $0.text == "stream" && $0.unit == nil })
            else { return nil }
            var layout = WideLayout(separator: separator, timeColumn: timeColumn)
            layout.timeUnit = labels[timeColumn].timeUnit ?? .unknown
            let isLogged = Set(names).isSuperset(of: ["time", "seconds_elapsed"])
            if isLogged {
                layout.timeUnit = .nanoseconds
                (layout.hasTexts, layout.isDated) = (true, true)
                if SensorLogger.stream(stem) == "annotation" { layout.markColumn = names.firstIndex(of: "text") }
            }
            var taken: [String: Int] = [:]
            for (column, label) in labels.enumerated() {
                // Spreadsheets write an empty column at the end.
                if column == timeColumn || label.text.isEmpty || (isLogged && label.text == "seconds_elapsed") {
                    layout.columns.append(nil)
                    continue
                }
                let channel = isLogged ? SensorLogger.channel(label.text, stem: stem) : label.channel(stem: stem)
                guard SensorSample.isName(channel.stream), SensorSample.isName(channel.component) else {
                    throw LineDamage("the column's name '\(names[column])' has no letter or digit, or more than 64")
                }
                guard taken.updateValue(column, forKey: channel.name) == nil else {
                    throw LineDamage("has two columns '\(names[column])'")
                }
                guard layout.channels.count < ChannelTable.limit else {
                    throw LineDamage("has more than \(ChannelTable.limit) columns")
                }
                if isLogged, SensorLogger.unsigned.contains(channel.name) {
                    layout.unsigned.insert(layout.channels.count)
                }
                layout.columns.append(layout.channels.count)
                layout.channels.append(channel)
            }
            return layout.channels.isEmpty ? nil : layout
        }
    }

    /// The name of a column with its unit: `ecg.ii [mV]`, `Acceleration x (m/s^2)`.
    struct Label {
        var text: String
        var unit: String?

        init(_ name: String) {
            text = name
            for (opening, closing) in [("[", "]"), ("(", ")")] as [(Character, Character)]
            where name.last == closing {
                guard let start = name.lastIndex(of: opening), start > name.startIndex else { continue }
                text = name[..<start].trimmed()
                let inside = name[name.index(after: start)..<name.index(before: name.endIndex)].trimmed()
                unit = inside.isEmpty || inside == "a.u." ? nil : inside
            }
        }

        /// The unit of times, if this is the name of a column with the time.
        var timeUnit: CSVTime.Unit? {
            switch (text.lowercased(), unit) {
            case (let text, let unit?) where ["time", "timestamp", "t", "elapsed"].contains(text): Self.units[unit]
            case ("time", nil), ("timestamp", nil), ("date", nil), ("datetime", nil): .unknown
            case ("seconds", nil): .seconds
            case ("milliseconds", nil): .milliseconds
            case ("microseconds", nil): .microseconds
            case ("nanoseconds", nil): .nanoseconds
            default: nil
            }
        }

        private static let units: [String: CSVTime.Unit] = [
            "s": .seconds, "sec": .seconds, "seconds": .seconds, "ms": .milliseconds, "µs": .microseconds,
            "μs": .microseconds, "us": .microseconds, "ns": .nanoseconds,
        ]

        /// Columns of phyphox's experiments with positions.
        private static let ofPosition = [
            "latitude": "latitude", "longitude": "longitude", "height": "altitude", "altitude": "altitude",
            "velocity": "speed", "speed": "speed", "direction": "course", "horizontal accuracy": "accuracy",
            "vertical accuracy": "vertical-accuracy",
        ]

        /// `stream.component` is that. `Linear Acceleration x` is the component `x` of `linear-acceleration`. Other names
        /// are components of the stream that is named for the file.
        func channel(stem: String) -> SensorChannel {
            if var channel = SensorChannel(named: text) {
                channel.unit = unit
                return channel
            }
            let low = text.lowercased()
            if unit != nil, let component = Self.ofPosition[low] {
                return SensorChannel("position", component, unit: unit)
            }
            let words = low.split(separator: " ")
            if words.count > 1, let last = words.last, ["x", "y", "z"].contains(last) {
                return SensorChannel(
                    SensorSample.name(like: words.dropLast().joined(separator: " ")), String(last), unit: unit)
            }
            if words.count > 1, words[0] == "absolute" {
                return SensorChannel(
                    SensorSample.name(like: words.dropFirst().joined(separator: " ")), "absolute", unit: unit)
            }
            return SensorChannel(SensorSample.name(like: stem, "recording"), SensorSample.name(like: text), unit: unit)
        }
    }
}

extension SensorSample {
    /// Returns a name of letters, digits, `-` and `_` like `text`; `other` if that has none of them.
    static func name(like text: some StringProtocol, _ other: String = "") -> String {
        var name = ""
        for character in text.unicodeScalars {
            if character != "-", isName(String(character)) {
                name.unicodeScalars.append(character)
            } else if name.last != "-", !name.isEmpty {
                name.append("-")
            }
        }
        name = String(name.prefix(64))
        while name.last == "-" { name.removeLast() }
        return name.isEmpty ? other : name
    }
}

/// The names and units of Sensor Logger, which writes a file for each sensor that is named for it, with the columns `time`
/// in nanoseconds since 1970 and `seconds_elapsed` (github.com/tszheichoi/awesome-sensor-logger, UNITS.md).
enum SensorLogger {
    static func stream(_ sensor: String) -> String {
        sensor == "Location" ? "position" : SensorSample.name(like: sensor.lowercased(), "recording")
    }

    private static let components = ["bearing": "course", "horizontalAccuracy": "accuracy"]

    static func component(_ column: String) -> String { components[column] ?? SensorSample.name(like: column) }

    /// Where a number below zero says that the value is not known.
    static let unsigned: Set = [
        "position.accuracy", "position.verticalAccuracy", "position.speed", "position.speedAccuracy", "position.course",
        "position.bearingAccuracy",
    ]

    private static let units = [
        "accelerometer": "m/s²", "totalacceleration": "m/s²", "gravity": "m/s²", "gyroscope": "rad/s",
        "magnetometer": "µT", "barometer.pressure": "hPa", "barometer.relativeAltitude": "m", "microphone": "dBFS",
        "heartrate": "bpm", "light": "lx", "compass": "°", "position.latitude": "°", "position.longitude": "°",
        "position.altitude": "m", "position.altitudeAboveMeanSeaLevel": "m", "position.accuracy": "m",
        "position.verticalAccuracy": "m", "position.speed": "m/s", "position.speedAccuracy": "m/s",
        "position.course": "°", "position.bearingAccuracy": "°", "orientation.pitch": "rad", "orientation.roll": "rad",
        "orientation.yaw": "rad",
    ]

    static func channel(_ column: String, stem: String) -> SensorChannel {
        var channel = SensorChannel(stream(stem), component(column))
        channel.unit = units[channel.name] ?? units[channel.stream]
        return channel
    }
}
