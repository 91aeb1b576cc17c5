internal import Glibc
internal import Wayreel

/// Events in a Redis server on this machine, using its geospatial commands. Requests are pipelined; an error ends the
/// program.
final class RedisEvents {
    private let connection: Int32
    private let answers: UnsafeMutablePointer<FILE>
    /// The last line of an answer.
    private var text: UnsafeMutablePointer<CChar>?
    private var capacity = 0

    init(port: UInt16) {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0, let answers = fdopen(connection, "r") else { fatalError("no Redis server answers") }
        (self.connection, self.answers) = (connection, answers)
    }

    deinit {
        fclose(answers)
        free(text)
    }

    /// Adds an event at each position.
    func add(_ positions: [GeoPoint]) {
        send(
            positions.enumerated().map { number, place in
                request(["GEOADD", "events", "\(place.longitude)", "\(place.latitude)", "event-\(number)"])
            })
        for _ in positions { _ = line() }
    }

    /// Returns the number of events within a radius of metres around each position. `fixesAtOnce` requests are pending
    /// at the same time.
    func near(_ positions: [GeoPoint], radius: Int, fixesAtOnce: Int) -> [Int] {
        var counts: [Int] = []
        for first in stride(from: 0, to: positions.count, by: fixesAtOnce) {
            let batch = positions[first..<min(first + fixesAtOnce, positions.count)]
            send(
                batch.map { place in
                    request([
                        "GEOSEARCH", "events", "FROMLONLAT", "\(place.longitude)", "\(place.latitude)", "BYRADIUS",
                        "\(radius)", "m",
                    ])
                })
            for _ in batch {
                // The reply contains *3, then $9 and event-123 for each event.
                let count = number(after: "*")
                for _ in 0..<count {
                    _ = line()
                    _ = line()
                }
                counts.append(count)
            }
        }
        return counts
    }

    private func request(_ words: [String]) -> String {
        "*\(words.count)\r\n" + words.map { "$\($0.utf8.count)\r\n\($0)\r\n" }.joined()
    }

    /// Replies are read after all requests were sent: they are smaller than the buffers of the connection.
    private func send(_ requests: [String]) {
        for first in stride(from: 0, to: requests.count, by: 500) {
            var rest = Array(requests[first..<min(first + 500, requests.count)].joined().utf8)[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
                precondition(count > 0, "the Redis server has gone")
                rest = rest.dropFirst(count)
            }
        }
    }

    private func number(after mark: Character) -> Int {
        let text = line()
        guard text.first == mark, let number = Int(text.dropFirst()) else { fatalError("Redis answered \(text)") }
        return number
    }

    /// Returns the next line without the line end.
    private func line() -> String {
        let count = getline(&text, &capacity, answers)
        precondition(count >= 2, "the Redis server has gone")
        let line = String(decoding: UnsafeRawBufferPointer(start: text, count: count - 2), as: UTF8.self)
        precondition(line.first != "-", "Redis answered \(line)")
        return line
    }
}
