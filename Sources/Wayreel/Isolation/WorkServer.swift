internal import CLinux
internal import Glibc
internal import Synchronization
package import WayreelCore

/// The other side of ``IsolatedPipeline``: a process that carries out one order after the other for the one that started it.
package enum WorkServer {
    /// Reads orders from the socket, one a line, carries each out and answers, until the other side closes the socket.
    ///
    /// Throws a `parameter` error where there is no order.
    package static func serve(cancellation: Cancellation) throws(MediaError) {
        let channel = Channel(ChildProcess.channel)
        var line = channel.nextLine()
        guard line != nil else {
            throw MediaError(
                .parameter, step: "start", reason: "there is no order that this version knows",
                advice: "this command is started by others of wayreel, each with a task")
        }
        guard wr_begin_work() == 0 else {
            throw MediaError(.io, step: "start", reason: "cannot work for another process: \(systemReason(errno))")
        }
        ThreadName.set("task")
        try watch(cancellation, channel)
        let pipelines = KeptPipeline()
        var isFirst = true
        while let bytes = line {
            if !isFirst { forgetPeakMemory() }
            isFirst = false
            guard let head = try? WorkJSON.decode(Head.self, from: bytes), let kind = WorkKinds.named(head.kind) else {
                throw MediaError(.parameter, step: "start", reason: "there is no order that this version knows")
            }
            try carryOut(kind, bytes, channel, cancellation, pipelines)
            line = channel.nextLine()
        }
    }

    /// So much of an order tells of what kind it is.
    private struct Head: Decodable {
        var kind: String
    }

    private static func carryOut<Order: WorkOrder>(
        _ kind: Order.Type, _ bytes: [UInt8], _ channel: Channel, _ cancellation: Cancellation,
        _ pipelines: KeptPipeline
    ) throws(MediaError) {
        let letter: WorkLetter<Order>
        do { letter = try WorkJSON.decode(WorkLetter<Order>.self, from: bytes) } catch {
            throw MediaError(.parameter, step: "start", reason: "the order cannot be read: \(error)")
        }
        if let memory = letter.memoryBytes, wr_limit_memory(UInt(memory)) != 0 {
            throw MediaError(.io, step: "start", reason: "cannot limit its memory: \(systemReason(errno))")
        }
        if letter.isTraced { TraceRecorder.start() }
        let session = WorkSession(
            cancellation: cancellation, progress: { channel.send(WorkMessage<Order.Answer>.progress($0)) },
            pipelines: pipelines)
        let message: WorkMessage<Order.Answer>
        do throws(MediaError) {
            message = .answer(try letter.order.carryOut(session), cpuMilliseconds: channel.processorTime())
        } catch {
            message = .failure(error, cpuMilliseconds: channel.processorTime())
        }
        channel.send(message)
    }

    /// Tells twice a second that the work looks whether it is to stop, or writes, as when a muxer moves the index of a large
    /// file to its front; and ends this process at once where the other has ended. The thread ends with the process.
    private static func watch(_ cancellation: Cancellation, _ channel: Channel) throws(MediaError) {
        _ = try WorkThread("watch") {
            var written = wr_written_bytes()
            while true {
                channel.endProcessWhenClosed(within: 500)
                let before = written
                written = wr_written_bytes()
                if cancellation.hasBeenRead() || written != before { channel.send(WorkMessage<Bool>.isAlive) }
            }
        }
    }

    /// Lets the system count the largest resident size anew. Where it cannot, the peak is that of all orders so far.
    private static func forgetPeakMemory() {
        let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "5", 1)
        close(file)
    }
}

/// The socket to the process that the work is for.
private final class Channel: @unchecked Sendable {
    private let descriptor: Int32
    private let turn = Mutex(())
    // Of the thread that carries out the orders.
    private var pending: [UInt8] = []
    private var lastProcessorTime = 0.0

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// nil at the end, and where the descriptor is no socket: people who start the command may have any other file there.
    func nextLine() -> [UInt8]? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                defer { pending.removeFirst(end + 1) }
                return Array(pending[..<end])
            }
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            pending += buffer[..<count]
        }
    }

    /// A line. Where nobody listens any more the process is about to end.
    func send(_ message: some Encodable) {
        guard let json = try? WorkJSON.encode(message) else { return }
        turn.withLock { _ in SocketBytes.send(json + [UInt8(ascii: "\n")], to: descriptor) }
    }

    /// Milliseconds of processor time that this process has taken since this was asked last.
    func processorTime() -> Double {
        let now = Clock.process
        defer { lastProcessorTime = now }
        return Clock.milliseconds(now - lastProcessorTime)
    }

    /// Waits for so many milliseconds, unless the other side closes the socket.
    func endProcessWhenClosed(within milliseconds: Int32) {
        var wait = pollfd(fd: descriptor, events: 0, revents: 0)
        if poll(&wait, 1, milliseconds) > 0, wait.revents != 0 { _exit(1) }
    }
}
