internal import ArgumentParser
internal import WayreelCore
internal import WayreelService
internal import WayreelSigning

struct URLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Prints the signed address of an image of the service.",
        discussion: """
            wayreel url photo.jpg --set screen=iphone-15 --set recipe=old-postcard --keys keys.txt
            wayreel url photo.jpg --set screen=512x512 --keys keys.txt --expires-in 3600 --base https://images.example.org
            """)

    @Argument(help: "The image, relative to the folder of images.")
    var source: String

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("An option as NAME=VALUE: screen=512x512. Repeatable.", valueName: "name=value"))
    var options: [String] = []

    @Option(help: "File of signing keys. (default: none; the address works on the machine of the service alone)")
    var keys: String?

    @Option(help: "Seconds for which the address is valid. (default: for ever)")
    var expiresIn: Int?

    @Option(help: "What comes before the path.")
    var base = ""

    func run() throws {
        print(
            try ImageLink.path(
                source: source,
                options: options.map { text in
                    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                        String.init)
                    return (parts[0], parts.count > 1 ? parts[1] : "true")
                },
                keys: keys.map { (path) throws(MediaError) in try SigningKeys(path: path) }, secondsValid: expiresIn,
                base: base))
    }
}
