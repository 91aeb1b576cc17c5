public import ArgumentParser
public import Wayreel

// The library's choices, as values of options.
extension Fit: ExpressibleByArgument {}
extension Gravity: ExpressibleByArgument {}
extension DamageTolerance: ExpressibleByArgument {}
extension ExistingOutput: ExpressibleByArgument {}
extension Encoding.Format: ExpressibleByArgument {}
extension Encoding.Subsampling: ExpressibleByArgument {}
extension Encoding.Metadata: ExpressibleByArgument {}

/// `500MB`, `512KiB`, `200000`.
struct ByteCount: ExpressibleByArgument {
    let value: Int

    init?(argument: String) {
        guard let value = Quantity.bytes.parse(argument) else { return nil }
        self.value = value
    }
}

/// `150MP`, `150000000`.
struct PixelCount: ExpressibleByArgument {
    let value: Int

    init?(argument: String) {
        guard let value = Quantity.pixels.parse(argument) else { return nil }
        self.value = value
    }
}
