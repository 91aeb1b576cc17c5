package import WayreelGauge

/// The cost of storing and reading images.
package struct StorageReport: Sendable, Codable {
    package var kind = "wayreel-bench-storage"
    package var version = 1
    package var machine: Machine
    /// The date, such as `2026-11-21T21:04:25Z`.
    package var date: String
    package var rows: [StorageRow]
}

/// The results for a number of images in one storage method.
package struct StorageRow: Sendable, Codable {
    package struct Run: Hashable, Sendable, Codable {
        /// The time to store all images, each of them durable before the next one.
        package var storeMilliseconds: Double
        /// The time to read with a new connection, from the disk.
        package var coldReadMilliseconds: Double
        /// The time to read with the same connection again, from the kernel's cache.
        package var warmReadMilliseconds: Double
        package var diskBytes: Int
        /// The memory in addition to what the process had before; nil if the kernel does not report it.
        package var storeMemoryBytes: Int?
        package var readMemoryBytes: Int?
    }

    package var images: Int
    /// The total size of the images themselves.
    package var bytes: Int
    package var kind: StorageKind
    package var runs: [Run] = []

    package func summary(_ figure: (Run) -> Double?) -> Summary? { Summary(runs.compactMap(figure)) }
}

/// The measurements that this benchmark repeats: seconds to load images from a server over 3G, from the thesis on the
/// Augmented-Life Phone Organizer (ALPO) by Chao-Hsin Shih, table 1.
package enum ThesisStorage {
    package static let images = [5, 10, 15, 20]
    package static let seconds: [(name: String, values: [Double])] = [
        ("BLOB in MySQL", [7.68, 11.183, 13.937, 16.359]),
        ("base64 in LONGTEXT", [12.014, 13.338, 20.233, 23.169]),
        ("files by URL", [0.253, 0.266, 0.216, 0.272]),
    ]
}
