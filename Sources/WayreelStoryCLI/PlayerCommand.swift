internal import ArgumentParser
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore
internal import WayreelPages

struct PlayerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "player",
        abstract: "Writes the web player with prepared stories as a folder for any web server.",
        discussion: """
            A story, and how to look at it on this machine:
              wayreel prepare story.xml -o bundle/ --screen iphone-15
              wayreel player bundle/ -o site/
              python3 -m http.server --directory site/
            Several stories on one site:
              wayreel player bundles/harbor bundles/castle -o site/
            With an image where others show links to its stories, site/s/STORY/:
              wayreel player bundle/ -o site/ --address https://stories.example.org/

            Players' journals and captures stay on their devices; 'wayreel serve --stories' also treats captures and keeps journals. \
            Positions, cameras and compasses need https, or localhost. The file _headers holds the headers that the site should be \
            served with; some hosts read it.

            A folder that an earlier run wrote is replaced when the new one is complete. A folder with other files in it is left alone.

            Exit status: 0 done, 1 failed, 2 wrong usage.
            """)

    @Argument(help: "The bundles' folders.", completion: .directory)
    var bundles: [String]

    @Option(name: [.short, .long], help: "The folder to write.", completion: .directory)
    var output: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The address where the folder will be found: links to stories are shown with an image only if it is known.",
            valueName: "url"))
    var address: String?

    func run() throws {
        let site = try PlayerSite(
            bundles.map { (path) throws(MediaError) in
                guard !OutputFile.isSame(path, output) else {
                    throw ErrorSite(.parameter, step: .write)(of: output, "is a bundle", "give another folder")
                }
                return try StoryBundle.open(path)
            }, address: address)
        let written = try site.write(to: output)
        let stories = bundles.count.counted("story", "stories")
        try Console.output("\(stories): \(written.files) files, \(written.bytes.asSize)")
    }
}
