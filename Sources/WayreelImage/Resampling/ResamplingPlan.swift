package import WayreelCore

/// Which part of a stored picture is resampled to which size.
package struct ResamplingPlan: Hashable, Sendable {
    /// A rectangle in pixels, with edges that may lie between them.
    package struct Region: Hashable, Sendable {
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        package init(x: Double, y: Double, width: Double, height: Double) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// The size of the stored picture.
    package var source: PixelSize
    package var region: Region
    package var output: PixelSize
    /// Weighs light instead of code values: the source is taken as sRGB-encoded and the result is linear.
    package var inLinearLight: Bool

    package init(source: PixelSize, region: Region, output: PixelSize, inLinearLight: Bool = false) {
        self.source = source
        self.region = region
        self.output = output
        self.inLinearLight = inLinearLight
    }

    /// The whole of a picture, at its own size.
    package init(unchanged source: PixelSize) {
        self.init(
            source: source,
            region: Region(x: 0, y: 0, width: Double(source.width), height: Double(source.height)), output: source)
    }

    var columns: ResamplingAxis {
        ResamplingAxis(length: source.width, origin: region.x, extent: region.width, outputs: output.width)
    }

    var rows: ResamplingAxis {
        ResamplingAxis(length: source.height, origin: region.y, extent: region.height, outputs: output.height)
    }
}
