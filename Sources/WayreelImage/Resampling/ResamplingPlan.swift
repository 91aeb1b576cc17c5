package import WayreelCore

/// The part of a stored image to resample, and the output size.
package struct ResamplingPlan: Hashable, Sendable {
    /// A rectangle in pixels with fractional edges.
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

    /// Size of the stored image.
    package var source: PixelSize
    package var region: Region
    package var output: PixelSize
    /// The source pixels that may be used; nil for all.
    package var window: PixelRectangle?
    /// Filters linear light instead of code values: the source is sRGB-encoded and the result is linear.
    package var inLinearLight: Bool
    /// Decodes the source at its full size and with all of its filters, however small the output is.
    package var decodesFully: Bool

    package init(
        source: PixelSize, region: Region, output: PixelSize, inLinearLight: Bool = false, decodesFully: Bool = false
    ) {
        self.source = source
        self.region = region
        self.output = output
        self.inLinearLight = inLinearLight
        self.decodesFully = decodesFully
    }

    /// Creates a plan for a whole image at its own size.
    package init(unchanged source: PixelSize) {
        self.init(
            source: source,
            region: Region(x: 0, y: 0, width: Double(source.width), height: Double(source.height)), output: source)
    }

    /// The smaller number of source pixels per output pixel of both directions.
    var reduction: Double { min(region.width / Double(output.width), region.height / Double(output.height)) }

    var columns: ResamplingAxis {
        ResamplingAxis(
            samples: window?.columns ?? 0..<source.width, origin: region.x, extent: region.width, outputs: output.width)
    }

    var rows: ResamplingAxis {
        ResamplingAxis(
            samples: window?.rows ?? 0..<source.height, origin: region.y, extent: region.height, outputs: output.height)
    }

    /// Returns the plan for a smaller image, `spacing` pixels of which are one pixel. There is no window.
    func reduced(by spacing: Double, to size: PixelSize) -> ResamplingPlan {
        var plan = self
        plan.source = size
        plan.region.x /= spacing
        plan.region.y /= spacing
        plan.region.width /= spacing
        plan.region.height /= spacing
        return plan
    }

    /// Restricts a plan for a whole image to `window` of an image of `source`; pixels outside are not used.
    func inside(_ window: PixelRectangle, of source: PixelSize) -> ResamplingPlan {
        var plan = self
        plan.source = source
        plan.window = window
        plan.region.x += Double(window.columns.lowerBound)
        plan.region.y += Double(window.rows.lowerBound)
        return plan
    }
}
