package import ArgumentParser
internal import Glibc
internal import Wayreel
internal import WayreelCLI
internal import WayreelCore

/// The command with all of its subcommands: the program `wayreel-full`.
package struct WayreelCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "wayreel",
        abstract: "Prepares the media of location-based stories.",
        discussion: """
            wayreel capture photo.jpg -o out.jpg --screen iphone-4s
            wayreel capture *.jpg -o prepared/ --screen iphone-15 --recipe old-postcard --format webp
            wayreel levels radio.mp3 -o levels.json --rate 30
            wayreel levels radio.mp3 -o waveform.png --size 1200x300
            wayreel tone sine:440 -o a.wav --seconds 5
            wayreel transcode in.mov -o out.mp4 --screen iphone-4s
            wayreel transcode in.mov -o hls/ --hls
            wayreel poster in.mov -o poster.jpg
            wayreel filters noir
            wayreel probe photo.heic in.mov
            wayreel prepare story.xml -o bundle/ --screen iphone-15
            wayreel play bundle/ --track walk.gpx
            wayreel walk story.xml -o walk.gpx
            wayreel route --roads bayreuth-north.osm.pbf --track drive.gpx
            wayreel codes story.xml --address https://tours.example.org/ -o codes.pdf
            wayreel tiles krems.osm.pbf -o tiles/
            wayreel places search krems.osm.pbf --kind cafe --at 48.4106,15.6035
            wayreel serve --images photos/ --stories bundles/
            wayreel player bundle/ -o site/
            wayreel bench --svg charts/
            wayreel measure -- make
            """,
        version: WayreelVersion.text,
        subcommands: CommandTable.all(with: others))

    /// The commands that `wayreel` lacks, in any order: `CommandTable` says where each stands.
    package static let others: [any ParsableCommand.Type] = [
        PrepareCommand.self, VerifyCommand.self, PlayCommand.self, JournalCommand.self, WalkCommand.self,
        RouteCommand.self, WayCommand.self, MapCommand.self, CodesCommand.self, GogglesCommand.self,
        StreamsCommand.self, ServeCommand.self, PlayerCommand.self, PlacesCommand.self, TilesCommand.self,
        ToneCommand.self, URLCommand.self, TokenCommand.self, BenchCommand.self, FullWorkerCommand.self,
    ]

    package init() {}
}

/// Runs tasks for another `wayreel` process that the worker of `wayreel` lacks, because that would start more slowly.
struct FullWorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "full-worker", abstract: "Runs tasks for another wayreel process.", shouldDisplay: false)

    func run() throws {
        try WorkServer.serve(others: [GroundTask.self], cancellation: Interrupt.cancellation)
    }
}

/// The program `wayreel`, which starts fast, for use by `wayreel-full`.
enum FastProgram {
    private static let installed = Program.first(of: ["wayreel", "../../bin/wayreel"])

    /// The path of the program, or of the running program if there is none.
    static let path = installed ?? Program.path

    /// The program for worker processes, or the running program if there is none. It stays the same file if another version is
    /// installed in the meantime.
    static let worker: String = {
        guard let installed else { return Isolation.ownExecutable }
        let program = open(installed, O_RDONLY | O_CLOEXEC)
        return program < 0 ? Isolation.ownExecutable : "/proc/\(getpid())/fd/\(program)"
    }()

    /// The same for a process that runs for long: the running program also if the other one is of another version, because
    /// only one of them was installed. Starts that one, once.
    static func checkedWorker() -> String {
        Isolation(executable: worker).isOfThisVersion() ? worker : Isolation.ownExecutable
    }
}
