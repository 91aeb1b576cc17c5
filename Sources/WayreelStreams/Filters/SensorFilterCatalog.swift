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
            return EachComponent(target) {
                MovingMean(window: MovingWindow(count), cycle: Cycle(of: $0, period: period))
            }
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
            return EachComponent(target) {
                MovingMedian(window: MovingWindow(count), cycle: Cycle(of: $0, period: period))
            }
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
    ]

    private static let wrap = SensorFilterParameter(
        "wrap", .number, range: 0...1_000_000, default: "0",
        "the period of a value that begins again, such as 6.283185307 for radians; 0: 360 for the components degrees, heading, course, "
            + "bearing, azimuth, yaw and longitude, none for others")

    /// Returns the filter of a name. For an unknown filter, throws a `parameter` error with the nearest name.
    public static func requireDescriptor(named name: String) throws(MediaError) -> SensorFilterDescriptor {
        if let found = all.first(where: { $0.name == name }) { return found }
        throw MediaError(
            .parameter, step: .filter, reason: "unknown filter '\(name)'",
            advice: nearestName(to: name, in: all.map(\.name)).map { "did you mean '\($0)'?" }
                ?? "there are \(all.map(\.name).joined(separator: ", "))")
    }
}
