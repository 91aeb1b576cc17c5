internal import Glibc
internal import WayreelCLI

/// The program `wayreel`, which starts fast, for use by `wayreel-full`.
enum LightProgram {
    /// The path of the program, or of the running program if there is none.
    static let path = Program.first(of: ["wayreel", "../../bin/wayreel"]) ?? Program.path

    /// The program for worker processes. It stays the same file if another version is installed in the meantime.
    static let worker: String = {
        let program = open(path, O_RDONLY | O_CLOEXEC)
        return program < 0 ? path : "/proc/\(getpid())/fd/\(program)"
    }()
}
