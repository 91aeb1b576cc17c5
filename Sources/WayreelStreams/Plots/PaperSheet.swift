internal import WayreelCore
internal import WayreelDrawing

/// A sheet of electrocardiograph paper: what is where, in tenths of a millimetre from its top left corner.
///
/// 25 mm are a second and 10 mm a millivolt, on a grid of fine lines every millimetre and heavy ones every five. Twelve
/// leads are in the usual order, 2.5 s each of the same 10 s, with lead II below for all of these; others are rows. A plot of
/// more than 10 s has several sheets.
struct PaperSheet {
    /// Units of the drawing in a millimetre.
    static let millimetre = 10.0
    /// The time that a sheet holds.
    static let seconds = 10.0
    /// The most sheets of a plot, which bound its memory.
    static let limit = 30
    /// Widths of a second and heights of a millivolt.
    static let secondWidth = 25 * millimetre
    static let millivoltHeight = 10 * millimetre

    /// A part of a channel's trace.
    struct Strip {
        let channel: Int
        let name: String
        /// Height of 0 mV.
        let baseline: Double
        /// Left end, and the part of the sheet's time in seconds.
        let x: Double
        let seconds: ClosedRange<Double>
    }

    let picture: SensorPicture
    /// Its number among those of the picture, from 0 on.
    let number: Int
    /// The times that it shows.
    let window: ClosedRange<Int64>
    let size: PixelSize
    /// The area of the grid, whose sides are multiples of 5 mm.
    let grid: Rectangle
    let strips: [Strip]
    /// Heights of 0 mV of the rows.
    let baselines: [Double]
    /// Distance of rows.
    let pitch: Double
    let warnings: [String]
    /// By channel: turns its values into millivolts.
    let factors: [Double]

    /// Throws a `parameter` error for channels that are no voltages, or too many.
    init(_ picture: SensorPicture, number: Int = 0) throws(MediaError) {
        let fault = ErrorSite(.parameter, step: .plot, subject: picture.title.isEmpty ? nil : picture.title)
        (self.picture, self.number) = (picture, number)
        let start = picture.window.lowerBound + Int64(number) * Self.length
        window = start...max(start, min(start + Self.length, picture.window.upperBound))
        var factors: [Double] = []
        var unknown: [String] = []
        for channel in picture.channels {
            guard let unit = channel.unit else {
                unknown.append(channel.channel.name)
                factors.append(1)
                continue
            }
            guard let factor = SensorUnit.factor(from: unit, to: "mV") else {
                throw fault(
                    "\(channel.channel.name) is in \(unit); an electrocardiogram is in V, mV or µV",
                    "choose the streams of the leads")
            }
            factors.append(factor)
        }
        self.factors = factors
        let leads = Self.leads(picture.channels.map(\.channel.component))
        let rowCount = leads == nil ? picture.channels.count : 4
        guard rowCount <= 37 else {
            throw fault("\(rowCount) leads are too many for a sheet, which holds 37", "choose streams")
        }
        // A4 across or, for more rows, A3 upright, which has the same width.
        let millimetre = Self.millimetre
        let isLarge = rowCount > 8
        size =
            isLarge
            ? PixelSize(width: Int(297 * millimetre), height: Int(420 * millimetre))
            : PixelSize(width: Int(297 * millimetre), height: Int(210 * millimetre))
        let room = isLarge ? 370.0 : 160
        pitch = min(max((room / Double(rowCount) / 5).rounded(.down), 2), 8) * 5 * millimetre
        grid = Rectangle(
            x: 15 * millimetre, y: 25 * millimetre, width: 270 * millimetre,
            height: pitch * Double(rowCount) + 5 * millimetre)
        let (first, pitch) = (grid.y + 5 * millimetre, pitch)
        baselines = (0..<rowCount).map { row in
            let middle = (Double(row) + 0.5) * pitch
            return first + (middle / (5 * millimetre)).rounded(.down) * 5 * millimetre
        }
        strips = Self.strips(picture, leads, baselines, left: grid.x + 15 * millimetre)
        var warnings: [String] = []
        if !unknown.isEmpty {
            let names = unknown.prefix(3).joined(separator: ", ") + (unknown.count > 3 ? ", …" : "")
            warnings.append(
                "the recording does not say the unit of \(names); it is taken for mV, which ':unit=mV' after the stream confirms"
            )
        }
        let shown = Set(strips.map(\.channel))
        let hidden = picture.channels.indices.filter { !shown.contains($0) }.map { picture.channels[$0].channel.name }
        if !hidden.isEmpty {
            warnings.append("the sheet of twelve leads has no place for \(hidden.joined(separator: ", "))")
        }
        for index in shown.sorted() {
            guard let extremes = picture.channels[index].extremes else { continue }
            let reach = max(extremes.lowest.value.magnitude, extremes.highest.value.magnitude) * factors[index]
            if reach * Self.millivoltHeight > grid.height {
                warnings.append(
                    "\(picture.channels[index].channel.name) reaches \(SensorPicture.text(reach)) mV, beyond the paper; a high-pass filter removes its offset"
                )
            }
        }
        self.warnings = warnings
    }

    private static let length = Int64(seconds * 1e6)

    /// The sheets that the times up to the last sample take.
    static func count(_ picture: SensorPicture) -> Int {
        let last = picture.channels.compactMap(\.times?.upperBound).max() ?? picture.window.lowerBound
        let reach = min(last, picture.window.upperBound) - picture.window.lowerBound
        return max(1, Int((reach + length - 1) / length))
    }

    // MARK: Leads

    /// The leads by the rows of the paper, in its columns.
    private static let order = [["I", "aVR", "V1", "V4"], ["II", "aVL", "V2", "V5"], ["III", "aVF", "V3", "V6"]]

    /// The name of a lead as it is printed; nil for another component.
    static func lead(_ component: String) -> String? {
        let letters = component.lowercased().filter { $0.isLetter || $0.isNumber }
        return order.joined().first { name in
            ["", "lead", "ecg", "ekg", "mlead"].contains { letters == $0 + name.lowercased() }
        }
    }

    /// The index of each of the twelve leads' component; nil if one is missing. Of a lead that is there twice, the first.
    private static func leads(_ components: [String]) -> [String: Int]? {
        var found: [String: Int] = [:]
        for (index, component) in components.enumerated() {
            if let lead = lead(component), found[lead] == nil { found[lead] = index }
        }
        return found.count == 12 ? found : nil
    }

    private static func strips(
        _ picture: SensorPicture, _ leads: [String: Int]?, _ baselines: [Double], left: Double
    ) -> [Strip] {
        guard let leads else {
            return picture.channels.enumerated().map { index, channel in
                Strip(
                    channel: index,
                    name: channel.selection.label ?? lead(channel.channel.component) ?? channel.channel.component,
                    baseline: baselines[index], x: left, seconds: 0...seconds)
            }
        }
        let part = seconds / 4
        var strips: [Strip] = []
        for (row, names) in order.enumerated() {
            for (column, name) in names.enumerated() {
                guard let channel = leads[name] else { continue }
                let start = Double(column) * part
                strips.append(
                    Strip(
                        channel: channel, name: name, baseline: baselines[row], x: left + start * secondWidth,
                        seconds: start...start + part))
            }
        }
        if let rhythm = leads["II"] {
            strips.append(Strip(channel: rhythm, name: "II", baseline: baselines[3], x: left, seconds: 0...seconds))
        }
        return strips
    }

    // MARK: Texts

    /// `25 mm/s   10 mm/mV   bandpass 0.5–40, notch 50`
    var scaleText: String {
        let filters = picture.filters.map { filter in
            "\(filter.name) \((filter.arguments[filter.name] ?? "").replacing("..", with: "–"))"
        }
        return "25 mm/s   10 mm/mV   " + (filters.isEmpty ? "unfiltered" : filters.joined(separator: ", "))
    }

    /// `10 s from 2 s   250 Hz`
    var timeText: String {
        let seconds = Double(window.upperBound - window.lowerBound) / 1e6
        let start = picture.text(window.lowerBound)
        let rates = Set(strips.compactMap { rateText(picture.channels[$0.channel]) })
        let rate = rates.count == 1 ? "   \(rates.first ?? "") Hz" : ""
        return "\(SensorPicture.text(seconds)) s from \(start)\(rate)"
    }

    /// `sheet 2 of 3`; nil for a single one.
    var numberText: String? {
        let count = Self.count(picture)
        return count > 1 ? "sheet \(number + 1) of \(count)" : nil
    }

    private func rateText(_ channel: PlottedChannel) -> String? {
        if let rate = channel.channel.rate { return SensorPicture.text(rate) }
        guard let times = channel.times, channel.count > 1 else { return nil }
        return SensorPicture.text(Double(channel.count - 1) * 1e6 / Double(times.upperBound - times.lowerBound))
    }
}
