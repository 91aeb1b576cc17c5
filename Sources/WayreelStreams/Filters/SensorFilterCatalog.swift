public import WayreelCore

/// All filters of sensor samples.
public enum SensorFilterCatalog {
    public static let all: [SensorFilterDescriptor] = [
        SensorFilterDescriptor(
            name: "min", summary: "Drops samples below a limit",
            parameters: [
                SensorFilterParameter("min", .number, "the least value that is kept, in the component's unit")
            ],
            source: "value < min", example: "level.db:min=-60"
        ) { target, values in
            let least = values.number("min")
            return EachComponent(target) { _ in Limit(range: least ... .infinity) }
        },
        SensorFilterDescriptor(
            name: "max", summary: "Drops samples above a limit, such as fixes that are too inaccurate",
            parameters: [
                SensorFilterParameter("max", .number, "the greatest value that is kept, in the component's unit")
            ],
            source: "value > max", example: "accuracy:max=50"
        ) { target, values in
            let greatest = values.number("max")
            return EachComponent(target) { _ in Limit(range: -.infinity...greatest) }
        },
        SensorFilterDescriptor(
            name: "range", summary: "Drops samples outside of a range",
            parameters: [
                SensorFilterParameter("range", .interval, "the values that are kept, in the component's unit")
            ],
            source: "value < low or value > high", example: "temperature:range=-40..85"
        ) { target, values in
            let range = values.interval("range")
            return EachComponent(target) { _ in Limit(range: range) }
        },
        SensorFilterDescriptor(
            name: "clamp", summary: "Brings values outside of a range to its nearest end",
            parameters: [
                SensorFilterParameter("clamp", .interval, "the values that stay, in the component's unit")
            ],
            source: "min(max(value, low), high)", example: "level:clamp=-60..0"
        ) { target, values in
            let range = values.interval("clamp")
            return EachComponent(target) { _ in Clamp(range: range) }
        },
        SensorFilterDescriptor(
            name: "mean",
            summary: "Moving average of the last samples; of angles, the direction of the sum of unit vectors",
            parameters: [
                SensorFilterParameter(
                    "mean", .integer, unit: "samples", range: 1...999, "how many samples, the newest among them"),
                wrap,
            ],
            source: "Σ xᵢ / n, of angles atan2(Σ sin xᵢ, Σ cos xᵢ)",
            example: "level:mean=5"
        ) { target, values in
            let (count, period) = (Int(values.number("mean")), values.number("wrap"))
            return EachComponent(target) { MovingMean(count, Cycle(of: $0, period: period)) }
        },
        SensorFilterDescriptor(
            name: "smooth",
            summary: "Exponential smoothing, the same at any rate of samples; angles turn the shorter way",
            parameters: [
                SensorFilterParameter(
                    "smooth", .duration, unit: "s", range: 0.001...3600,
                    "the time constant: after it, 63 % of a step has arrived"),
                wrap,
            ],
            source: "y += (1 − exp(−Δt / smooth)) · (x − y)", example: "heading:smooth=0.5s"
        ) { target, values in
            let (seconds, period) = (values.number("smooth"), values.number("wrap"))
            return EachComponent(target) { ExponentialSmoothing(seconds, Cycle(of: $0, period: period)) }
        },
        SensorFilterDescriptor(
            name: "median",
            summary: "Median of the last samples, which outliers do not move; of angles, about their mean",
            parameters: [
                SensorFilterParameter(
                    "median", .integer, unit: "samples", range: 1...999, "how many samples, the newest among them"),
                wrap,
            ],
            source: "median(xᵢ), of angles mean + median(turn from the mean to xᵢ)",
            example: "pressure:median=5"
        ) { target, values in
            let (count, period) = (Int(values.number("median")), values.number("wrap"))
            return EachComponent(target) { MovingMedian(count, Cycle(of: $0, period: period)) }
        },
        SensorFilterDescriptor(
            name: "gyro",
            summary:
                "Turns a compass heading by a gyroscope's rate, which removes the compass's jitter, and recalibrates it from the "
                + "compass while that is stable",
            parameters: [
                SensorFilterParameter(
                    "gyro", .component, default: "rotation.z", "the rate of rotation about the vertical"),
                SensorFilterParameter(
                    "scale", .number, range: -1000...1000, default: "-57.29577951308232",
                    "degrees of heading a second for a rate of 1; by default for radians a second, counter-clockwise seen from above, "
                        + "as phones report them"),
                SensorFilterParameter(
                    "interval", .duration, unit: "s", range: 0.1...60, default: "2s", "the time between recalibrations"),
                SensorFilterParameter(
                    "stable", .number, unit: "degrees", range: 0.1...90, default: "5",
                    "the greatest standard deviation of compass from gyroscope, in an interval, of a stable compass"),
            ],
            source: "heading += scale · rate · Δt (trapezoids); each interval, heading += mean(compass − heading)",
            example: "heading.degrees:gyro=rotation.z"
        ) { target, values in
            GyroCompass(
                target, gyroscope: values.component("gyro"), scale: values.number("scale"),
                interval: values.number("interval"), stable: values.number("stable"))
        },
        SensorFilterDescriptor(
            name: "lowpass", summary: "Butterworth low-pass filter: keeps what changes slowly",
            parameters: [frequency("lowpass", "the frequency that is left at −3 dB"), order, wrap, rate],
            source:
                "scipy.signal.butter(order, lowpass, fs=rate, output='sos'); delay 1 / (2π · lowpass · sin(90° / order)) s at low "
                + "frequencies",
            example: "ecg:lowpass=40"
        ) { (target, values) throws(MediaError) in
            try butterworth(target, values, .below(values.number("lowpass")), isDifference: false)
        },
        SensorFilterDescriptor(
            name: "highpass", summary: "Butterworth high-pass filter: removes offset and drift",
            parameters: [frequency("highpass", "the frequency that is left at −3 dB"), order, wrap, rate],
            source:
                "scipy.signal.butter(order, highpass, 'highpass', fs=rate, output='sos'); delay highpass / (2π · f² · sin(90° / order)) s "
                + "at a frequency f far above",
            example: "ecg:highpass=0.5,order=1"
        ) { (target, values) throws(MediaError) in
            try butterworth(target, values, .above(values.number("highpass")), isDifference: true)
        },
        SensorFilterDescriptor(
            name: "bandpass", summary: "Butterworth band-pass filter: keeps what changes neither slowly nor fast",
            parameters: [
                SensorFilterParameter(
                    "bandpass", .interval, unit: "Hz", range: 0.0001...1_000_000,
                    "the frequencies that are left at −3 dB"), order, wrap, rate,
            ],
            source:
                "scipy.signal.butter(order, [low, high], 'bandpass', fs=rate, output='sos'); delay 1 / (π · (high − low) · "
                + "sin(90° / order)) s in the middle of the band",
            example: "ecg:bandpass=0.5..40"
        ) { (target, values) throws(MediaError) in
            let band = values.interval("bandpass")
            guard band.lowerBound < band.upperBound else {
                throw MediaError(
                    .parameter, step: .filter, reason: "bandpass: the frequencies are the same",
                    advice: "it takes two that differ, as in 0.5..40")
            }
            return try butterworth(
                target, values, .between(band.lowerBound, band.upperBound), isDifference: true)
        },
        SensorFilterDescriptor(
            name: "notch",
            summary: "Removes one frequency, such as the hum of the mains: 50 Hz, or 60 Hz in the Americas",
            parameters: [
                frequency("notch", "the frequency that is removed"),
                SensorFilterParameter(
                    "q", .number, range: 0.5...1000, default: "30",
                    "the frequency divided by the width of what is removed, between −3 dB and −3 dB"), wrap, rate,
            ],
            source:
                "scipy.signal.iirnotch(notch, q, fs=rate); delay 1 / (2π · notch · q) s far below, q / (π · notch) s close by",
            example: "ecg:notch=50,q=30"
        ) { (target, values) throws(MediaError) in
            let (frequency, quality) = (values.number("notch"), values.number("q"))
            return try atRate(target, values, nominalRate: 10 * frequency, isDifference: false) {
                (rate) throws(MediaError) in
                try SecondOrderSections(notch: frequency, quality: quality, rate: rate)
            }
        },
        SensorFilterDescriptor(
            name: "detrend", summary: "Removes mean and linear trend of the last samples; without delay",
            parameters: [
                SensorFilterParameter(
                    "detrend", .duration, unit: "s", range: 0.01...600, "the time of the samples, the newest at its end"
                ),
                wrap,
            ],
            source: "x − the line of least squares through the samples of the time, at the newest",
            example: "pressure:detrend=30s"
        ) { target, values in
            let (seconds, period) = (values.number("detrend"), values.number("wrap"))
            return EachComponent(target) { Detrending(seconds, Cycle(of: $0, period: period)) }
        },
        SensorFilterDescriptor(
            name: "derivative", summary: "The rate of change, in units a second",
            parameters: [
                SensorFilterParameter(
                    "derivative", .duration, unit: "s", range: 0...600,
                    "the time over which the slope is measured; 0: from one sample to the next"), wrap,
            ],
            source:
                "the slope of the line of least squares through the samples of the time; delay derivative / 2, or half an interval",
            example: "position.speed:derivative=1s"
        ) { target, values in
            let (seconds, period) = (values.number("derivative"), values.number("wrap"))
            return EachComponent(target) { Derivative(seconds, Cycle(of: $0, period: period)) }
        },
        SensorFilterDescriptor(
            name: "resample",
            summary:
                "Samples at even times, with anti-aliasing: what the lower of both rates cannot have is removed; a stream is resampled as a whole",
            parameters: [
                SensorFilterParameter(
                    "resample", .number, unit: "samples a second", range: 0.1...10_000, "the rate of the output"),
                SensorFilterParameter(
                    "width", .integer, unit: "samples", range: 2...64, default: "24",
                    "the samples of the lower rate on each side of the filter, which are its delay; up to 1 − 4.7 / width of half the "
                        + "lower rate is kept"),
            ],
            source:
                "Σ xᵢ · h(tᵢ − t) · Δtᵢ / Σ h(tᵢ − t) · Δtᵢ, h a sinc with a Kaiser window for 75 dB; delay width / the lower rate",
            example: "accel:resample=50"
        ) { target, values in
            Resampling(target, rate: values.number("resample"), width: Int(values.number("width")))
        },
        threshold(
            .above, source: "1: value ≥ above; 0: value < above − hysteresis; without delay",
            example: "level:above=-20,hysteresis=3"),
        threshold(
            .below, source: "1: value ≤ below; 0: value > below + hysteresis; without delay",
            example: "battery.percent:below=20,hysteresis=1"),
        SensorFilterDescriptor(
            name: "peaks",
            summary:
                "Events of the stream STREAM-beats for the beats in an electrocardiogram: the value at the peak of each QRS complex, and the "
                + "rate in bpm; the samples stay",
            parameters: [
                SensorFilterParameter(
                    "peaks", .duration, unit: "s", range: 0.1...2,
                    "the shortest time between two beats; 200ms for people"),
                rate,
            ],
            source:
                "J. Pan, W. J. Tompkins: A Real-Time QRS Detection Algorithm, 1985; delay peaks + 0.2 s, and 3 s at the beginning",
            example: "ecg.ii:peaks=200ms"
        ) { (target, values) throws(MediaError) in
            try PeakEvents(target, refractory: values.number("peaks"), rate: values.number("rate"))
        },
    ]

    private static let wrap = SensorFilterParameter(
        "wrap", .number, range: 0...1_000_000, default: "0",
        "the period of a value that begins again, such as 6.283185307 for radians; 0: 360 for the components degrees, heading, course, "
            + "bearing, azimuth, yaw and longitude, none for others")

    private static let order = SensorFilterParameter(
        "order", .integer, range: 1...8, default: "2", "the steepness: 6 dB an octave for each, on each side of a band")

    private static let rate = SensorFilterParameter(
        "rate", .number, unit: "samples a second", range: 0...1_000_000, default: "0",
        "the rate of the samples; 0: as their times show it, for which the first 32 intervals are held back, or the first second"
    )

    private static func threshold(
        _ side: ThresholdEvents.Side, source: String, example: String
    ) -> SensorFilterDescriptor {
        let name = side.rawValue
        return SensorFilterDescriptor(
            name: name,
            summary:
                "Events of the stream STREAM-\(name): the component \(name) is 1 when a value begins to be \(name) a threshold, and 0 with "
                + "the seconds of it at its end; the samples stay",
            parameters: [
                SensorFilterParameter(name, .number, "the threshold, in the component's unit"),
                SensorFilterParameter(
                    "hysteresis", .number, range: 0...1_000_000_000, default: "0",
                    "how far a value must be back behind the threshold to end what began, in the component's unit"),
            ],
            source: source, example: example
        ) { target, values in
            ThresholdEvents(target, side, threshold: values.number(name), hysteresis: values.number("hysteresis"))
        }
    }

    private static func frequency(_ key: String, _ summary: String) -> SensorFilterParameter {
        SensorFilterParameter(key, .number, unit: "Hz", range: 0.0001...1_000_000, summary)
    }

    private static func butterworth(
        _ target: SensorFilter.Target, _ values: SensorFilterValues, _ band: PassBand, isDifference: Bool
    ) throws(MediaError) -> any SensorFilterStep {
        let (order, nominalRate) = (Int(values.number("order")), 10 * (band.ends.last ?? 1))
        return try atRate(target, values, nominalRate: nominalRate, isDifference: isDifference) {
            (rate) throws(MediaError) in
            try SecondOrderSections(butterworth: band, order: order, rate: rate)
        }
    }

    /// Returns the step of a filter with the parameters `rate` and `wrap`.
    private static func atRate(
        _ target: SensorFilter.Target, _ values: SensorFilterValues, nominalRate: Double, isDifference: Bool,
        _ make: @escaping AtRate<SecondOrderSections>.Make
    ) throws(MediaError) -> any SensorFilterStep {
        let (period, subject) = (values.number("wrap"), "\(target):\(values.filter)")
        return try AtRate(
            target, rate: values.number("rate"), nominalRate: nominalRate,
            { component in
                guard let cycle = Cycle(of: component, period: period) else { return .none }
                return isDifference ? .difference(cycle) : .value(cycle)
            },
            { (rate) throws(MediaError) in
                do throws(MediaError) { return try make(rate) } catch { throw error.naming(subject) }
            })
    }

    /// Returns the filter of a name. For an unknown filter, throws a `parameter` error with the nearest name.
    public static func requireDescriptor(named name: String) throws(MediaError) -> SensorFilterDescriptor {
        if let found = all.first(where: { $0.name == name }) { return found }
        throw MediaError(
            .parameter, step: .filter, reason: "unknown filter '\(name)'",
            advice: nearestName(to: name, in: all.map(\.name)).map { "did you mean '\($0)'?" }
                ?? "there are \(all.map(\.name).joined(separator: ", "))")
    }
}
