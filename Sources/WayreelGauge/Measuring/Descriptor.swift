internal import CLinux
internal import Glibc

/// An owned file descriptor.
final class Descriptor {
    private(set) var number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close() }

    /// Passes the number to `body` and keeps the descriptor open meanwhile, beyond the last use of this object.
    func withNumber<Output>(_ body: (Int32) -> Output) -> Output {
        withExtendedLifetime(self) { body(number) }
    }

    func close() {
        if number >= 0 { _ = Glibc.close(number) }
        number = -1
    }

    /// Opens `path` with a descriptor above the standard streams, so that it can be duplicated to one; nil and errno on
    /// failure.
    static func open(_ path: String, _ flags: Int32) -> Descriptor? {
        let file = Descriptor(Glibc.open(path, flags | O_CLOEXEC))
        return file.lifted()
    }

    /// The reading and the writing end, both close-on-exec; empty and errno on failure.
    static func pipe() -> [Descriptor] {
        var ends: [Int32] = [-1, -1]
        guard wr_pipe(&ends) == 0 else { return [] }
        let lifted = ends.map { Descriptor($0) }.compactMap { $0.lifted() }
        return lifted.count == 2 ? lifted : []
    }

    private func lifted() -> Descriptor? {
        if number > 2 { return self }
        let above = number < 0 ? -1 : fcntl(number, F_DUPFD_CLOEXEC, 3)
        return above < 0 ? nil : Descriptor(above)
    }
}
