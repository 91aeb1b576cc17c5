package import WayreelCore

/// One part of what a filter does.
enum FilterStage: Sendable {
    /// Operations on each pixel, the same for every picture.
    case color([ColorOp])
    /// Operations on each pixel that depend on the size of the picture.
    case sized(@Sendable (PixelSize) -> [ColorOp])
    /// An operation on the whole picture.
    case spatial(any SpatialFilter)
}

/// An operation in which a pixel depends on others.
protocol SpatialFilter: Sendable {
    /// Changes the picture in place; `watch` is looked at every few rows.
    func apply(to picture: inout Picture, watch: TaskWatch) throws(MediaError)
}

/// Filters, checked and made ready to run on any number of pictures.
package struct FilterChain: Sendable {
    private let stages: [FilterStage]

    /// Checks every name and argument and reads every file that they name.
    ///
    /// Relative paths start at `baseDirectory`, or at the working directory; `watch` limits the waiting for a pipe. Throws a `parameter` error for a filter or an
    /// argument that is unknown or out of range, and an `io`, `limit` or `decoding` error for a file that cannot be used.
    package init(_ filters: [Filter], baseDirectory: String? = nil, watch: TaskWatch = TaskWatch()) throws(MediaError) {
        var stages: [FilterStage] = []
        for filter in filters {
            let descriptor = try FilterCatalog.requireDescriptor(named: filter.name)
            let values = try FilterValues(filter.arguments, for: descriptor, baseDirectory: baseDirectory, watch: watch)
            stages += try descriptor.stages(values)
        }
        self.stages = stages
    }

    /// Runs `prefix` and then the filters; colour operations between two spatial ones run as one pass.
    package func apply(to picture: inout Picture, after prefix: [ColorOp] = [], watch: TaskWatch) throws(MediaError) {
        var pending = prefix
        for stage in stages {
            switch stage {
            case .color(let ops):
                pending += ops
            case .sized(let ops):
                pending += ops(picture.size)
            case .spatial(let filter):
                try ColorPipeline(pending).apply(to: &picture, watch: watch)
                pending = []
                try filter.apply(to: &picture, watch: watch)
            }
        }
        try ColorPipeline(pending).apply(to: &picture, watch: watch)
    }
}
