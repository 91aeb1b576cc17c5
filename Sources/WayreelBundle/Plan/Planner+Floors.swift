internal import WayreelCore
internal import WayreelImage
internal import WayreelStory
internal import WayreelTasks

/// The floor plans of a story: images in the sizes of others, and SVG drawings at the width of each screen.
extension Planner {
    mutating func planFloor(_ file: SourceFile, _ id: String) throws(MediaError) {
        guard let plan = story.floorPlans.first(where: { $0.id == id }) else { return }
        if case .image(let image)? = file.probe {
            try addFloor(plan, width: Double(image.size.width), height: Double(image.size.height))
            return try planImage(file)
        }
        guard file.probe == nil else {
            throw MediaError(
                .parameter, step: .plan, subject: file.source,
                reason: "is audio or video, where the story names a floor plan")
        }
        let document = try SVGDocument(path: file.path)
        let library = try LibraryVersions.ofDrawings()
        try addFloor(plan, width: document.width, height: document.height)
        for screen in options.screens {
            let size = document.pixels(
                width: screen.size.width, orHeight: screen.size.height, longest: DrawingOptions.longest)
            let task = DrawingTask(
                input: file.path, output: "",
                options: DrawingOptions(size: size, library: library, limits: options.limits))
            let pixels = Double(size.pixels) / 1e6
            try add(
                .drawing, .drawing(task), [PlannedTask.Output(role: .image, name: "image.png", type: "image/png")],
                PlannedTask.Use(source: file.source, screen: screen.name), file,
                CostModel.Work(
                    name: "drawing", units: pixels, outputUnits: pixels,
                    memoryBytes: 60_000_000 + size.pixels * 8))
        }
    }

    /// Adds where a plan lies. Throws a `parameter` error if its pins do not fit the picture.
    private mutating func addFloor(_ plan: FloorPlan, width: Double, height: Double) throws(MediaError) {
        guard let georeference = Georeference(plan.pins) else { return }
        if let fault = plan.faults(width: width, height: height).first {
            throw MediaError(.parameter, step: .plan, subject: plan.image.source, reason: "plan '\(plan.id)': \(fault)")
        }
        floors.append(
            BundleManifest.Floor(
                id: plan.id, source: plan.image.source, width: width, height: height, east: georeference.east,
                north: georeference.north))
    }
}
