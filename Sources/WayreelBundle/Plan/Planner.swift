internal import WayreelCore
internal import WayreelImage
internal import WayreelLevels
internal import WayreelStory
internal import WayreelTasks
internal import WayreelVideo

/// Plans the tasks of a story in its order: one for each distinct combination of file and screen.
struct Planner {
    /// The story in each language of the bundle, its own first.
    let stories: [Story]
    let options: PrepareOptions
    let folder: StoryFolder
    let recipes: TreatmentRecipes
    let sources: [String: Result<SourceFile, MediaError>]
    let costs: CostModel
    let tools: String
    /// The videos and audio with captions.
    let captioned: Set<String>
    /// The sounds that tell players of their arrival.
    let arrivalSounds: Set<String>

    var tasks: [PlannedTask] = []
    /// The indices of ``tasks`` by their keys. Media that are used twice are prepared once.
    var indices: [String: Int] = [:]
    var failures: [PreparePlan.Failure] = []
    var warnings: [String] = []
    /// The story in its own language.
    var story: Story { stories[0] }
    /// The languages of the request that is being planned.
    private var languages: [String]?
    var ground: BundleManifest.Ground?
    /// Who made base maps, by their sources.
    var mapCredits: [String: MediaAttribution] = [:]
    /// The floor plans whose pictures could be read, with their transforms.
    var floors: [BundleManifest.Floor] = []

    init(
        stories: [Story], options: PrepareOptions, folder: StoryFolder, recipes: TreatmentRecipes,
        sources: [String: Result<SourceFile, MediaError>], costs: CostModel, tools: String
    ) {
        (self.stories, self.options, self.folder, self.recipes) = (stories, options, folder, recipes)
        (self.sources, self.costs, self.tools) = (sources, costs, tools)
        captioned = Set(stories.flatMap(\.captioned).map(\.source))
        arrivalSounds = Set(stories.flatMap(\.arrivalSounds))
    }

    mutating func plan(_ requests: [(request: MediaRequest, languages: [String]?)]) throws(MediaError) {
        var failed: Set<String> = []
        for (request, languages) in requests {
            self.languages = languages
            switch sources[request.source] {
            case .success(let file):
                do throws(MediaError) { try plan(request, file) } catch {
                    // A file may fail as audio and as a video, for other reasons.
                    guard failed.insert("\(request.source)\n\(error.reason)").inserted else { continue }
                    failures.append(PreparePlan.Failure(source: request.source, error: error.naming(request.source)))
                }
            case .failure(let error):
                guard failed.insert(request.source).inserted else { continue }
                failures.append(PreparePlan.Failure(source: request.source, error: error))
            case nil: break
            }
        }
        self.languages = nil
        try planFace()
    }

    /// Returns the plan. `store` holds the outputs of finished tasks; it is nil if there is no bundle yet.
    func result(_ store: MediaStore?) throws(MediaError) -> PreparePlan {
        var tasks = tasks
        var warnings = warnings
        for index in tasks.indices {
            switch try store?.standing(of: tasks[index]) {
            case .finished(let known): tasks[index] = tasks[index].reusing(known)
            case .damaged(let path): warnings.append("\(path) is damaged or missing, and is made again")
            case .absent, nil: continue
            }
        }
        var inputs: [PreparePlan.Input] = []
        for case .success(let file) in sources.values {
            inputs.append(
                PreparePlan.Input(
                    source: file.source, path: file.path, bytes: file.content.bytes, sha256: file.content.hash,
                    stamp: file.content.stamp.text))
        }
        let credits = MediaCredits(of: stories, recipes.imageSources(folder), sources, maps: mapCredits)
        return PreparePlan(
            story: story, translated: Array(stories.dropFirst()), options: options,
            inputs: inputs.sorted { $0.source < $1.source }, tasks: tasks, failures: failures,
            treatments: recipes.treatments(folder), credits: credits.all, uncredited: credits.uncredited,
            warnings: warnings, ground: ground, floors: floors.isEmpty ? nil : floors)
    }

    private mutating func plan(_ request: MediaRequest, _ file: SourceFile) throws(MediaError) {
        switch request {
        case .image: try planImage(file)
        case .preview(_, let event, let language): try planPreview(file, event, language)
        case .audio(_, let visualizer): try planAudio(file, visualizer)
        case .video: try planVideo(file)
        case .captions(_, let language): try planCaptions(file, language)
        case .font: try planFont(file)
        case .map(_, let chapter): try planMap(file, of: chapter)
        case .plan(_, let id): try planFloor(file, id)
        case .treatment(_, let event):
            let type =
                if case .image(let image)? = file.probe { "image/\(image.format)" } else { "application/octet-stream" }
            let work = BundleWork.copy(CopyTask(input: file.path, output: "", options: .init(limits: options.limits)))
            let ending = file.source.fileExtension.map { ".\($0)" } ?? ""
            try add(
                .copy, work, [PlannedTask.Output(role: .treatment, name: "copy\(ending)", type: type)],
                PlannedTask.Use(source: file.source, event: event), file,
                CostModel.Work(name: "copy", units: 1, outputUnits: Double(file.content.bytes)))
        }
    }

    /// Adds a task, or a further use of one with the same key. `file` is nil for what is drawn of the story's texts alone.
    mutating func add(
        _ kind: PlannedTask.Kind, _ work: BundleWork, _ outputs: [PlannedTask.Output], _ use: PlannedTask.Use,
        _ file: SourceFile?, _ cost: CostModel.Work
    ) throws(MediaError) {
        var named: [String: String] = [:]
        for path in work.task.namedFiles {
            guard let source = folder.source(of: path), case .success(let file) = sources[source] else { continue }
            named[path] = file.content.hash
        }
        let key = try TaskKey.key(
            of: work.moved(input: file?.content.hash ?? "", outputs: outputs.map(\.name)), kind, files: named,
            tools: tools)
        var use = use
        use.languages = use.languages ?? languages
        if let index = indices[key] {
            tasks[index].add(use)
            return
        }
        indices[key] = tasks.count
        tasks.append(
            PlannedTask(
                key: key, kind: kind, work: work.moved(input: file?.path ?? "", outputs: outputs.map(\.name)),
                outputs: outputs, uses: [use], predicted: costs.prediction(for: cost), cost: cost, isReused: false))
    }
}
