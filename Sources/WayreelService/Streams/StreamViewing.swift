internal import NIOCore
internal import NIOWebSocket
internal import Synchronization
internal import WayreelCore
internal import WayreelStreams

/// A viewer of a live stream: sends what it has not got yet, as fast as it acknowledges and reads that, and fulfils its
/// requests.
final class StreamViewing: WebSocketGuest {
    let takesPieces = false
    private let stream: LiveStream
    private let places: [Reservation]
    private let threads: WorkPool
    private let (filtering, client): (WorkLane, Client)
    private var id: SignalHub.ViewerID?
    private var viewer: SignalViewer
    /// Whether messages are being made on another thread, which has the viewer meanwhile.
    private var isComputing = false
    /// The filters that were asked for meanwhile.
    private var nextFilters: SignalFilters?

    /// Marks are saved on `threads`, and filters are applied in `filtering`, in which a viewer has one batch at a time.
    init(
        _ stream: LiveStream, _ places: [Reservation], _ threads: WorkPool, filtering: WorkLane, for client: Client,
        filters: SignalFilters?
    ) {
        (self.stream, self.places, self.threads) = (stream, places, threads)
        (self.filtering, self.client) = (filtering, client)
        viewer = SignalViewer(filters)
    }

    func begin(_ socket: WebSocket) {
        guard let loop = socket.eventLoop else { return }
        let here = NIOLoopBound((self, socket), eventLoop: loop)
        let isWoken = Flag()
        id = stream.join {
            // Once for all that comes until it runs.
            guard isWoken.set() else { return }
            loop.execute {
                isWoken.clear()
                let (viewing, socket) = here.value
                viewing.send(socket)
                socket.flush()
            }
        }
        send(socket)
    }

    func canWrite(_ socket: WebSocket) { send(socket) }

    func end() {
        if let id { stream.leave(id) }
        id = nil
    }

    /// Sends all that the viewer may get now.
    private func send(_ socket: WebSocket) {
        while !isComputing, socket.isWritable, let id {
            let delivery = stream.take(id, isForWork: viewer.isHeavy)
            guard !delivery.isEmpty else { return }
            guard viewer.isHeavy else {
                send(viewer.messages(delivery, sent: Clock.epochMilliseconds), socket)
                continue
            }
            isComputing = true
            socket.compute(in: filtering, for: client) { [viewer] in
                var viewer = viewer
                let messages = viewer.messages(delivery, sent: Clock.epochMilliseconds)
                return (viewer, messages)
            } done: { [self] viewer, messages in
                isComputing = false
                self.viewer = viewer
                send(messages, socket)
                if let filters = nextFilters { use(filters, socket) }
                send(socket)
            }
        }
    }

    private func send(_ messages: [SignalMessage], _ socket: WebSocket) {
        for message in messages {
            switch message {
            case .text(let text): socket.send(text)
            case .binary(let bytes): socket.send(bytes)
            }
        }
    }

    private func use(_ filters: SignalFilters, _ socket: WebSocket) {
        nextFilters = isComputing ? filters : nil
        if !isComputing { send(viewer.use(filters), socket) }
    }

    // MARK: Requests

    func receive(_ data: ByteBuffer, isText: Bool, isLast: Bool, _ socket: WebSocket) {
        guard isText else { return socket.close(.unacceptableData) }
        guard let text = String(validating: data.readableBytesView, as: UTF8.self) else {
            return socket.close(.dataInconsistentWithMessage)
        }
        do throws(MediaError) {
            switch try SignalRequest(text) {
            case .acknowledge(let batch):
                guard let id else { return }
                stream.acknowledge(batch, from: id)
                send(socket)
            case .ping(let time): socket.send(#"{"type":"pong","t":\#(time),"server":\#(Clock.epochMilliseconds)}"#)
            case .filters(let texts):
                do throws(MediaError) { use(try SignalFilters(texts), socket) } catch {
                    socket.send(SignalViewer.error("\(error)", for: "filters"))
                }
            case let request: fulfil(request, socket)
            }
        } catch {
            socket.send(SignalViewer.error("\(error)", for: error.subject ?? "message"))
        }
    }

    /// Fulfils a request that concerns all viewers, on another thread: marks are saved.
    private func fulfil(_ request: SignalRequest, _ socket: WebSocket) {
        let stream = stream
        socket.work(on: threads) {
            Result { () throws(MediaError) in try stream.fulfil(request) }
        } done: { result in
            if case .failure(let error) = result {
                socket.send(SignalViewer.error("\(error)", for: request.name))
            }
        }
    }
}

/// A flag that threads share.
private final class Flag: Sendable {
    private let value = Atomic(false)

    /// Returns whether it was not set before.
    func set() -> Bool { !value.exchange(true, ordering: .acquiringAndReleasing) }
    func clear() { value.store(false, ordering: .releasing) }
}
