package import Glibc
internal import Testing

/// `wayreel serve` on a free port of the loopback interface, for one test; it is stopped by its process id.
package final class RunningServer {
    package let bench: Workbench
    package let process: pid_t
    /// `http://127.0.0.1:PORT`
    package let base: String

    /// `photos/` contains two photos and a logo. `bench` is the folder of an earlier server to reuse.
    package init(
        _ options: String = "", in bench: Workbench = Workbench(), prepare: (Workbench) throws -> Void = { _ in }
    ) throws {
        self.bench = bench
        try prepare(bench)
        _ = try bench.shell("mkdir -p photos/deep && cp \(Workbench.smallPhoto) photos/town.jpg")
        _ = try bench.shell("cp Media/captures/wisteria-iphone6-8mp.jpg 'photos/deep/wisteria ü.jpg'")
        let started = try bench.shell(
            "rm -f out.txt; wayreel serve --listen 127.0.0.1:0 --images photos \(options) > out.txt 2> err.txt < /dev/null & echo $!"
        )
        process = try #require(pid_t(started.text.split(separator: "\n").first.map(String.init) ?? ""))
        var said = ""
        for _ in 0..<600 where !said.contains("\n") {
            usleep(50_000)
            said = (try? bench.text("out.txt")) ?? ""
        }
        let address = said.split(separator: "\n").first?.split(separator: " ").last
        // deinit does not run if the initialiser throws.
        if address == nil { kill(process, SIGKILL) }
        let errors = (try? bench.text("err.txt")) ?? ""
        base = String(try #require(address, "\(errors)").dropLast())
    }

    deinit { kill(process, SIGKILL) }

    /// Kills the server like a failure of the machine would, and returns when it has ended.
    package func kill9() {
        kill(process, SIGKILL)
        while kill(process, 0) == 0 { usleep(10_000) }
    }

    /// Sends SIGTERM and returns when the server has ended.
    package func terminate() {
        kill(process, SIGTERM)
        while kill(process, 0) == 0 { usleep(10_000) }
    }

    /// Runs curl, an independent HTTP implementation.
    package func curl(_ arguments: String, path: String = "") throws -> Command.Outcome {
        try bench.shell("curl --silent --show-error --max-time 60 \(arguments) '\(base)\(path)'")
    }

    /// Returns the status and the lower-case headers of the last response to a request, after any interim 100.
    package func head(_ path: String, _ arguments: String = "") throws -> (status: String, headers: [String: String]) {
        let all = try curl("-D - -o body.out \(arguments)", path: path).text.split(separator: "\r\n")
        let lines = all.drop { $0.hasPrefix("HTTP/1.1 100 ") }
        let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
        let headers = fields.filter { $0.count == 2 }.map { ($0[0].lowercased(), String($0[1].dropFirst())) }
        return (lines.first.map(String.init) ?? "", Dictionary(headers) { $1 })
    }
}
