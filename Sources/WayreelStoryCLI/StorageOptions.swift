internal import ArgumentParser
internal import WayreelCLI

/// The options of the suite `storage` of `wayreel bench`.
struct StorageOptions: ParsableArguments {
    @Option(
        help: "Take the images of this story, .xml, .yml or .yaml. (default: the sample story)",
        completion: .file(extensions: ["xml", "yml", "yaml"]))
    var story: String?

    @Option(help: "The id of a chapter. (default: the one with the most images)")
    var chapter: String?

    @Option(
        help: """
            Numbers of images to store together, as in 5,10,15,20; what is more than the chapter has repeats them. (default: 1,2,3,4 and \
            all)
            """)
    var images: ImageCounts?

    var isEmpty: Bool { story == nil && chapter == nil && images == nil }
}

/// Numbers of images: `5,10,15,20`.
struct ImageCounts: ExpressibleByArgument {
    let values: [Int]

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        values = parts.compactMap { Int($0) }
        guard values.count == parts.count, values.allSatisfy((1...1000).contains) else { return nil }
    }
}
