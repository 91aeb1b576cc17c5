/// Measures the time, CPU, memory and I/O of a program, or of work in this process.
///
/// ```swift
/// let measurement = try Gauge.run(["vips", "thumbnail", "in.jpg", "out.jpg", "1080"])
/// print(measurement.wallMilliseconds, measurement.peakMemoryBytes ?? 0)
///
/// let (levels, cost) = try Gauge.measure { try readLevels() }
/// ```
public enum Gauge {}
