internal import Glibc
internal import WayreelCLI

/// The program `wayreel`, which starts fast, as `wayreel-full` uses it.
enum LightProgram {
    /// Its path, or that of the running program where it is not there.
    static let path = Program.first(of: ["wayreel", "../../bin/wayreel"]) ?? Program.path

    /// The program for worker processes, which is the same file also when another has been installed meanwhile.
    static let worker: String = {
        let program = open(path, O_RDONLY | O_CLOEXEC)
        return program < 0 ? path : "/proc/\(getpid())/fd/\(program)"
    }()
}
