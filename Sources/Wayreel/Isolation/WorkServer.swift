internal import CLinux
internal import Glibc
internal import Synchronization
package import WayreelCore

/// The other side of ``IsolatedPipeline``: a process that carries out one task for the one that has started it.
package enum WorkServer {
    /// Reads an order from the socket, carries it out, telling how far it is, and reports.
    ///
    /// Throws a `parameter` error where there is no order.
    package static func serve(cancellation: Cancellation) throws(MediaError) {
        let channel = Channel(ChildProcess.channel)
        let bytes = channel.readAll()
        guard let head = try? WorkJSON.decode(Head.self, from: bytes), let kind = WorkKinds.named(head.kind) else {
            throw MediaError(
                .parameter, step: "start", reason: "there is no order that this version knows",
                advice: "this command is started by others of wayreel, each with a task")
        }
        try carryOut(kind, bytes, channel, cancellation)
    }

    /// So much of an order tells of what kind its task is.
    private struct Head: Decodable {
        var kind: String
    }

    private static func carryOut<Work: MediaTask>(
        _ kind: Work.Type, _ bytes: [UInt8], _ channel: Channel, _ cancellation: Cancellation
    ) throws(MediaError) {
        let order: WorkOrder<Work>
        do { order = try WorkJSON.decode(WorkOrder<Work>.self, from: bytes) } catch {
            throw MediaError(.parameter, step: "start", reason: "the order cannot be read: \(error)")
        }
        guard wr_work_for(order.parent) == 0 else {
            throw MediaError(.io, step: "start", reason: "cannot work for its parent: \(systemReason(errno))")
        }
        if let memory = order.memoryBytes, wr_limit_memory(UInt(memory)) != 0 {
            throw MediaError(.io, step: "start", reason: "cannot limit its memory: \(systemReason(errno))")
        }
        if order.isTraced { TraceRecorder.start() }
        ThreadName.set("task")
        try showLife(of: cancellation, on: channel)
        channel.send(.report(report(order, channel, cancellation)))
    }

    private static func report(
        _ order: WorkOrder<some MediaTask>, _ channel: Channel, _ cancellation: Cancellation
    ) -> TaskReport {
        let task = order.task
        do {
            return try task.makePipeline().run(
                task, ifExists: order.ifExists, threads: order.threads, cancellation: cancellation
            ) { channel.send(.progress($0)) }
        } catch {
            return TaskReport(failed: task, error)
        }
    }

    /// Twice a second, as long as the work looks whether it is to stop, or writes, as when a muxer moves the index of a large
    /// file to its front. The thread ends with the process.
    private static func showLife(of cancellation: Cancellation, on channel: Channel) throws(MediaError) {
        _ = try WorkThread("watch") {
            var written = wr_written_bytes()
            while true {
                usleep(500_000)
                let before = written
                written = wr_written_bytes()
                if cancellation.hasBeenRead() || written != before { channel.send(.isAlive) }
            }
        }
    }
}

/// The socket to the process that the work is for.
private final class Channel: Sendable {
    private let descriptor: Int32
    private let turn = Mutex(())

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Nothing where the descriptor is no socket: people who start the command may have any other file there.
    func readAll() -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return [] }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// A line. Where nobody listens any more the process is about to end.
    func send(_ message: WorkMessage) {
        guard let json = try? WorkJSON.encode(message) else { return }
        turn.withLock { _ in SocketBytes.send(json + [UInt8(ascii: "\n")], to: descriptor) }
    }
}
