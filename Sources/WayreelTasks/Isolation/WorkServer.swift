internal import CLinux
internal import Glibc
internal import Synchronization
package import WayreelCore

/// The worker's side of ``IsolatedPipeline``: runs the requests of its parent process one after the other.
package enum WorkServer {
    /// Reads requests from the socket, one per line, and runs and answers each until the peer closes the socket.
    /// `others`: tasks beside those of this module.
    ///
    /// Throws a `parameter` error if there is no request.
    package static func serve(
        others: [any MediaTask.Type] = [], cancellation: Cancellation
    ) throws(MediaError) {
        let channel = Channel(ChildProcess.channel)
        var line = channel.nextLine()
        guard line != nil else {
            throw MediaError(
                .parameter, step: .start, reason: "no known request was received",
                advice: "this command is only started by other wayreel commands")
        }
        guard wr_begin_work() == 0 else {
            throw MediaError(.io, step: .start, reason: "cannot work for another process: \(systemReason(errno))")
        }
        ThreadName.set("task")
        try startHeartbeat(cancellation, channel)
        let pipelines = KeptPipeline()
        var isFirst = true
        while let bytes = line {
            if !isFirst { forgetPeakMemory() }
            isFirst = false
            guard let head = try? WorkJSON.decode(Head.self, from: bytes),
                let kind = WorkKinds.named(head.kind, others: others)
            else {
                throw MediaError(.parameter, step: .start, reason: "no known request was received")
            }
            try execute(kind, bytes, channel, cancellation, pipelines)
            line = channel.nextLine()
        }
    }

    /// The part of a request that identifies its kind.
    private struct Head: Decodable {
        var kind: String
    }

    private static func execute<Request: WorkRequest>(
        _ kind: Request.Type, _ bytes: [UInt8], _ channel: Channel, _ cancellation: Cancellation,
        _ pipelines: KeptPipeline
    ) throws(MediaError) {
        let envelope: WorkEnvelope<Request>
        do { envelope = try WorkJSON.decode(WorkEnvelope<Request>.self, from: bytes) } catch {
            throw MediaError(.parameter, step: .start, reason: "the request cannot be read: \(error)")
        }
        if let memory = envelope.memoryBytes, wr_limit_memory(UInt(memory)) != 0 {
            throw MediaError(.io, step: .start, reason: "cannot limit its memory: \(systemReason(errno))")
        }
        if envelope.isTraced { TraceRecorder.start() }
        let session = WorkSession(
            cancellation: cancellation, progress: { try? channel.send(WorkMessage<Request.Answer>.progress($0)) },
            pipelines: pipelines)
        let message: WorkMessage<Request.Answer>
        do throws(MediaError) {
            message = .answer(try envelope.request.execute(session), cpuMilliseconds: channel.processorTime())
        } catch {
            message = .failure(error, cpuMilliseconds: channel.processorTime())
        }
        do { try channel.send(message) } catch {
            let failure = MediaError(.encoding, step: .work, reason: "the answer cannot be encoded: \(error)")
            try? channel.send(WorkMessage<Request.Answer>.failure(failure, cpuMilliseconds: 0))
        }
    }

    /// Sends a heartbeat twice a second if the work has checked for cancellation or has written output, such as a muxer
    /// that moves the index of a large file to its start. Ends this process if the parent has ended. The thread runs
    /// until the process ends.
    private static func startHeartbeat(_ cancellation: Cancellation, _ channel: Channel) throws(MediaError) {
        _ = try WorkThread("heartbeat") {
            var written = wr_written_bytes()
            while true {
                channel.endProcessWhenClosed(within: 500)
                let before = written
                written = wr_written_bytes()
                if cancellation.wasPolledSinceLastCall() || written != before {
                    try? channel.send(WorkMessage<Bool>.isAlive)
                }
            }
        }
    }

    /// Resets the kernel's peak memory count. If that fails, the peak covers all requests so far.
    private static func forgetPeakMemory() {
        let file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "5", 1)
        close(file)
    }
}

/// The socket to the parent process.
private final class Channel: @unchecked Sendable {
    private let descriptor: Int32
    private let turn = Mutex(())
    // Used only by the thread that runs the requests.
    private var lines = LineBuffer()
    private var lastProcessorTime = 0.0

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Returns the next line; nil at the end, or if the descriptor is not a socket: a user who starts the command may
    /// have any file there.
    func nextLine() -> [UInt8]? {
        guard (try? FileStatus(descriptor: descriptor))?.kind == .socket else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if let line = lines.next() { return Array(line) }
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            lines.append(buffer[..<count])
        }
    }

    /// Sends one line; without a reader it is dropped, because the process is about to end. Throws if the message
    /// cannot be encoded.
    func send(_ message: some Encodable) throws {
        let json = try WorkJSON.encode(message)
        turn.withLock { _ in send(json + [UInt8(ascii: "\n")]) }
    }

    private func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// CPU milliseconds of this process since the last call.
    func processorTime() -> Double {
        let now = Clock.process
        defer { lastProcessorTime = now }
        return Clock.milliseconds(now - lastProcessorTime)
    }

    /// Waits for `milliseconds`; ends the process if the peer closes the socket.
    func endProcessWhenClosed(within milliseconds: Int32) {
        var wait = pollfd(fd: descriptor, events: 0, revents: 0)
        if poll(&wait, 1, milliseconds) > 0, wait.revents != 0 { _exit(1) }
    }
}
