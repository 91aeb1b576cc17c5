internal import ArgumentParser
internal import WayreelCLI
internal import WayreelCore
internal import WayreelService

struct URLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Prints the signed address of an image of the service.",
        discussion: """
            wayreel url photo.jpg --screen iphone-15 --recipe old-postcard --keys keys.txt
            wayreel url https://photos.example.org/a.jpg --keys keys.txt --encrypt-source --source-keys source-keys.txt
            wayreel url photo.jpg --set screen=512x512 --keys keys.txt --expires-in 3600 --base https://images.example.org
            """)

    @Argument(help: "The image, relative to the folder of images; /images/ before it is left out.")
    var source: String

    @Option(help: "Size or device, as in wayreel capture.")
    var screen: String?

    @Option(help: "Recipe of the service.")
    var recipe: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("Any other option as NAME=VALUE: fit=contain. Repeatable.", valueName: "name=value"))
    var options: [String] = []

    @Option(
        name: [.customLong("keys"), .customLong("key-file")],
        help: "File of signing keys. (default: none; the address works on the machine of the service alone)")
    var keys: String?

    @Flag(help: "Encrypt the source, so that the address does not tell where the image comes from.")
    var encryptSource = false

    @Option(help: "File of the keys for that: id:hexadecimal on each line, 32 bytes.", completion: .file())
    var sourceKeys: String?

    @Option(help: "Seconds for which the address is valid. (default: for ever)")
    var expiresIn: Int?

    @Option(help: "What comes before the path.")
    var base = ""

    func validate() throws {
        guard encryptSource == (sourceKeys != nil) else {
            throw ValidationError("--encrypt-source and --source-keys belong together")
        }
    }

    func run() throws {
        let named = [("screen", screen), ("recipe", recipe)].compactMap { name, value in value.map { (name, $0) } }
        let others = options.map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            return (parts[0], parts.count > 1 ? parts[1] : "true")
        }
        let folder = "/images/"
        try Console.output(
            ImageLink.path(
                source: source.hasPrefix(folder) ? String(source.dropFirst(folder.count)) : source,
                options: named + others,
                keys: keys.map { (path) throws(MediaError) in try SigningKeys(path: path) },
                sourceKeys: sourceKeys.map { (path) throws(MediaError) in try SourceKeys(path: path) },
                secondsValid: expiresIn,
                base: base.hasSuffix("/") ? String(base.dropLast()) : base))
    }
}
