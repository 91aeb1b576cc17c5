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
    /// The pixels of the source that may be weighed; nil for all of them.
    package var window: PixelRectangle?
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
        ResamplingAxis(
            samples: window?.columns ?? 0..<source.width, origin: region.x, extent: region.width, outputs: output.width)
    }

    var rows: ResamplingAxis {
        ResamplingAxis(
            samples: window?.rows ?? 0..<source.height, origin: region.y, extent: region.height, outputs: output.height)
    }

    /// The plan for a whole image, made one for a part of an image of `source`, beyond which nothing is weighed.
    func inside(_ window: PixelRectangle, of source: PixelSize) -> ResamplingPlan {
        var plan = self
        plan.source = source
        plan.window = window
        plan.region.x += Double(window.columns.lowerBound)
        plan.region.y += Double(window.rows.lowerBound)
        return plan
    }
}
