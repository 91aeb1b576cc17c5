package import WayreelCore

/// A stage of a filter.
enum FilterStage: Sendable {
    /// Operations on each pixel, independent of the image.
    case color([ColorOp])
    /// Operations on each pixel that depend on the image size.
    case sized(@Sendable (PixelSize) -> [ColorOp])
    /// An operation on the whole image.
    case spatial(any SpatialFilter)
}

/// An operation in which a pixel depends on others.
protocol SpatialFilter: Sendable {
    /// Modifies the image in place; checks `task` every few rows.
    func apply(to image: inout Image, task: TaskContext) throws(MediaError)
}

/// A checked list of filters that runs on any number of images.
package struct FilterChain: Sendable {
    private let stages: [FilterStage]

    /// Checks all names and arguments and reads the files that they name.
    ///
    /// Relative paths start at `baseDirectory`, or at the working directory; `task` bounds the wait for a pipe. Throws
    /// a `parameter` error for an unknown or invalid filter or argument, and an `io`, `limit` or `decoding` error for a
    /// file that cannot be used.
    package init(
        _ filters: [Filter], baseDirectory: String? = nil, task: TaskContext = TaskContext()
    ) throws(MediaError) {
        var stages: [FilterStage] = []
        for filter in filters {
            let descriptor = try FilterCatalog.requireDescriptor(named: filter.name)
            let values = try FilterValues(filter.arguments, for: descriptor, baseDirectory: baseDirectory, task: task)
            stages += try descriptor.stages(values)
        }
        self.stages = stages
    }

    /// Runs `prefix` and then the filters; consecutive colour operations run as one pass.
    package func apply(to image: inout Image, after prefix: [ColorOp] = [], task: TaskContext) throws(MediaError) {
        var pending = prefix
        for stage in stages {
            switch stage {
            case .color(let ops):
                pending += ops
            case .sized(let ops):
                pending += ops(image.size)
            case .spatial(let filter):
                try ColorPipeline(pending).apply(to: &image, task: task)
                pending = []
                try filter.apply(to: &image, task: task)
            }
        }
        try ColorPipeline(pending).apply(to: &image, task: task)
    }
}
