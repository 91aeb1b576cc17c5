internal import WayreelCore
internal import WayreelDocument
internal import WayreelFace
internal import WayreelImage
internal import WayreelStory
internal import WayreelTasks

/// The house's face: its font, its icons, and an image in each language for links to the story.
extension Planner {
    mutating func planFont(_ file: SourceFile) throws(MediaError) {
        try FontFile.check(path: file.path)
        let texts = try stories.map { (story) throws(MediaError) in try CanonicalJSON.text(story) }
        let options = FontOptions(texts: texts, limits: options.limits)
        try add(
            .font, .font(FontTask(input: file.path, output: "", options: options)),
            [PlannedTask.Output(role: .font, name: "font.woff2", type: "font/woff2")],
            PlannedTask.Use(source: file.source), file,
            CostModel.Work(name: "font", units: 1, outputUnits: 1))
    }

    /// Plans what is drawn. A file that cannot be read was reported by its own request, and is left out here.
    mutating func planFace() throws(MediaError) {
        guard let face = story.face else { return }
        let font = tasks.contains { $0.kind == .font } ? file(face.font) : nil
        let look = { (logo: SourceFile?) in
            HouseLook(
                color: RGBColor(face.color ?? Self.ink) ?? .black,
                text: RGBColor(FaceColors(Face(color: face.color ?? Self.ink)).light.text ?? "") ?? .white,
                logo: logo?.path, font: font?.path)
        }
        let logo = image(face.logo)
        try add(
            .icons,
            .icons(
                IconsTask(
                    outputs: [],
                    options: IconsOptions(
                        name: face.name ?? story.name, look: look(logo), limits: options.limits))),
            HouseIcon.all.enumerated().map { index, icon in
                PlannedTask.Output(role: icon.role, name: "icon-\(index).png", type: "image/png")
            }, PlannedTask.Use(source: (logo ?? font)?.source ?? ""), logo ?? font,
            CostModel.Work(name: "icons", units: 1, outputUnits: 1))
        for local in stories {
            let (cover, logo) = (image(local.cover), image(local.face?.logo))
            let house = local.face?.name == local.name ? nil : local.face?.name
            let share = ShareImageOptions(
                title: local.name, house: house, cover: cover?.path, isRightToLeft: local.isRightToLeft,
                look: look(logo), maxBytes: min(ShareImageOptions.maxBytes, options.maxFileBytes ?? .max),
                limits: options.limits)
            let first = cover ?? logo ?? font
            try add(
                .share, .share(ShareImageTask(output: "", options: share)),
                [PlannedTask.Output(role: .share, name: "share.jpg", type: "image/jpeg")],
                PlannedTask.Use(
                    source: first?.source ?? "", languages: stories.count > 1 ? [local.language] : nil), first,
                CostModel.Work(name: "share", units: 1, outputUnits: 1, memoryBytes: memoryBytes(cover)))
        }
    }

    /// The colour of a house without one: that of Wayreel's text.
    private static let ink = "#10181b"

    private func file(_ source: String?) -> SourceFile? {
        guard let source, case .success(let file) = sources[source] else { return nil }
        return file
    }

    private func image(_ asset: Asset?) -> SourceFile? {
        guard let file = file(asset?.source), case .image? = file.probe else { return nil }
        return file
    }

    private func memoryBytes(_ file: SourceFile?) -> Int? {
        guard case .image(let image)? = file?.probe else { return nil }
        return CostModel.memoryBytes(of: image)
    }
}

extension HouseIcon {
    fileprivate var role: MediaRole {
        switch shape {
        case .square, .small: .icon
        case .maskable: .maskableIcon
        case .touch: .touchIcon
        }
    }
}
