// swift-tools-version: 6.2
import PackageDescription

/// The settings of targets that import Glibc together with GRDB, Hummingbird and Foundation. With
/// MemberImportVisibility the compiler (6.3) mistakes structures of Glibc for those of CoreFoundation, depending on the
/// order in which it reads the files, and rejects uses of their members.
let strictBesideFoundation: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// The settings of all other Swift targets.
let strict = strictBesideFoundation + [.enableUpcomingFeature("MemberImportVisibility")]

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "wayreel",
    products: [
        .library(name: "Wayreel", targets: ["Wayreel"]),
        .library(name: "WayreelBench", targets: ["WayreelBench"]),
        .executable(name: "wayreel", targets: ["WayreelMain"]),
        .executable(name: "wayreel-full", targets: ["WayreelFullMain"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/vapor/jwt-kit", from: "5.7.1"),
    ],
    targets: [
        // C libraries, which are loaded on first use, so that runs that do not need one do not load it. Libraries that
        // report errors by longjmp have a wrapper that does not.
        .target(name: "CJPEG", dependencies: ["CLazyLibrary"], path: "Sources/System/CJPEG"),
        .target(name: "CPNG", dependencies: ["CLazyLibrary"], path: "Sources/System/CPNG"),
        .target(name: "CJXL", dependencies: ["CLazyLibrary"], path: "Sources/System/CJXL"),
        .target(name: "CTIFF", dependencies: ["CLazyLibrary"], path: "Sources/System/CTIFF"),
        .target(name: "CHEIF", dependencies: ["CLazyLibrary"], path: "Sources/System/CHEIF"),
        .target(name: "CFLAC", dependencies: ["CLazyLibrary"], path: "Sources/System/CFLAC"),
        .target(name: "CHarfBuzz", dependencies: ["CLazyLibrary"], path: "Sources/System/CHarfBuzz"),
        .target(name: "CFFmpeg", dependencies: ["CLazyLibrary"], path: "Sources/System/CFFmpeg"),
        .target(name: "CZimg", dependencies: ["CLazyLibrary"], path: "Sources/System/CZimg"),
        .target(name: "CLinux", path: "Sources/System/CLinux"),
        .target(name: "CStartup", path: "Sources/System/CStartup"),
        .target(name: "CLazyLibrary", path: "Sources/System/CLazyLibrary"),
        .target(name: "CWebP", dependencies: ["CLazyLibrary"], path: "Sources/System/CWebP"),
        .target(name: "CWOFF2", dependencies: ["CLazyLibrary"], path: "Sources/System/CWOFF2"),
        .target(name: "CLCMS2", dependencies: ["CLazyLibrary"], path: "Sources/System/CLCMS2"),
        .target(
            name: "CZlib", path: "Sources/System/CZlib", linkerSettings: [.linkedLibrary("z")]),
        .target(name: "CZip", dependencies: ["CLazyLibrary"], path: "Sources/System/CZip"),
        .target(name: "CQRCode", dependencies: ["CLazyLibrary"], path: "Sources/System/CQRCode"),
        // The files of Player/, APIPage/ and StreamsPage/, and the description of the service, embedded in the binary.
        .target(
            name: "CPages", path: "Sources/System/CPages",
            exclude: ["APIPage", "Documentation", "Player", "StreamsPage"]),
        .target(name: "CYAML", dependencies: ["CLazyLibrary"], path: "Sources/System/CYAML"),
        .target(name: "CInflate", dependencies: ["CLazyLibrary"], path: "Sources/System/CInflate"),
        .systemLibrary(name: "CLibMD", path: "Sources/System/CLibMD"),
        .target(name: "CCMark", dependencies: ["CLazyLibrary"], path: "Sources/System/CCMark"),
        .systemLibrary(name: "CXMLHeaders", path: "Sources/System/CXMLHeaders", pkgConfig: "libxml-2.0"),
        .target(name: "CXML", dependencies: ["CXMLHeaders", "CLazyLibrary"], path: "Sources/System/CXML"),
        .target(
            name: "CGeodesic", path: "Sources/System/CGeodesic", linkerSettings: [.linkedLibrary("GeographicLib")]),
        .target(name: "CEBUR128", dependencies: ["CLazyLibrary"], path: "Sources/System/CEBUR128"),
        // libosmium consists of headers, whose assertions would end the process for some damaged files.
        .target(
            name: "COSM", dependencies: ["CLazyLibrary"], path: "Sources/System/COSM",
            cxxSettings: [.define("NDEBUG")], linkerSettings: [.linkedLibrary("z")]),
        .systemLibrary(name: "CPango", path: "Sources/System/CPango", pkgConfig: "pangocairo"),
        .target(name: "CPangoLibrary", dependencies: ["CLazyLibrary"], path: "Sources/System/CPangoLibrary"),
        .target(name: "CRSVG", dependencies: ["CLazyLibrary"], path: "Sources/System/CRSVG"),

        // The inner loops, written in C so that one binary contains a version for each generation of processors.
        .target(name: "WayreelKernels", cSettings: [.define("NDEBUG")]),
        // JPEG at a reduced size, faster than libjpeg for images without any anomaly.
        .target(name: "WayreelJPEG"),

        // The resources are the files of Filters/, which the symbolic link in Presets/ points to.
        .target(
            name: "WayreelCore", dependencies: ["CLinux"], resources: [.embedInCode("Presets/Filters")],
            swiftSettings: strict),
        // What all documents share: YAML, XML, the tables of settings, and the locations of errors.
        .target(name: "WayreelDocument", dependencies: ["WayreelCore", "CXML", "CYAML"], swiftSettings: strict),
        // SQLite: files that survive a loss of power, and errors.
        .target(name: "WayreelDatabase", dependencies: ["WayreelCore", grdb], swiftSettings: strict),
        .target(
            name: "WayreelDrawing", dependencies: ["WayreelCore", "CPango", "CPangoLibrary", "CRSVG"],
            swiftSettings: strict),
        .target(
            name: "WayreelAV",
            dependencies: ["WayreelCore", "CFFmpeg", "CFLAC", "CZimg", "WayreelKernels", "WayreelJPEG"],
            swiftSettings: strict),
        .target(
            name: "WayreelImage",
            dependencies: [
                "WayreelCore", "WayreelDocument", "WayreelDrawing", "WayreelAV", "WayreelKernels", "WayreelJPEG",
                "CJPEG", "CPNG", "CWebP", "CTIFF", "CJXL", "CHEIF", "CLCMS2",
            ],
            swiftSettings: strict),
        // What a house has instead of Wayreel's: its font, icons, and images for links.
        .target(
            name: "WayreelFace",
            dependencies: ["WayreelCore", "WayreelDrawing", "WayreelImage", "CHarfBuzz", "CWOFF2"],
            swiftSettings: strict),
        .target(
            name: "WayreelLevels",
            dependencies: ["WayreelCore", "WayreelDrawing", "WayreelAV", "WayreelKernels", "CEBUR128"],
            swiftSettings: strict),
        // Test signals, synthesised.
        .target(
            name: "WayreelTones", dependencies: ["WayreelAV", "WayreelCore", "WayreelDrawing", "WayreelLevels"],
            swiftSettings: strict),
        .target(
            name: "WayreelVideo",
            dependencies: ["WayreelCore", "WayreelAV", "WayreelImage", "WayreelLevels", "WayreelKernels"],
            swiftSettings: strict),
        .target(
            name: "WayreelStory",
            dependencies: ["CCMark", "CLibMD", "CYAML", "WayreelCore", "WayreelDocument"],
            swiftSettings: strict),
        .target(
            name: "WayreelBench", dependencies: ["CLinux", "WayreelCore", "WayreelDrawing"], swiftSettings: strict),
        .target(
            name: "WayreelTasks",
            dependencies: [
                "CLinux", "WayreelAV", "WayreelCore", "WayreelDrawing", "WayreelFace", "WayreelImage", "WayreelLevels",
                "WayreelVideo",
            ],
            swiftSettings: strict),
        // What files of base maps say of themselves. It needs no library of maps, so that checks of stories start fast.
        .target(name: "WayreelMapFiles", dependencies: ["CInflate", "WayreelCore"], swiftSettings: strict),
        .target(
            name: "WayreelStoryMedia",
            dependencies: [
                "WayreelCore", "WayreelFace", "WayreelImage", "WayreelLevels", "WayreelMapFiles", "WayreelStory",
                "WayreelTasks", "WayreelVideo",
            ],
            swiftSettings: strict),
        .target(
            name: "WayreelBundle",
            dependencies: [
                "CLinux", "WayreelAV", "WayreelCore", "WayreelDatabase", "WayreelDocument", "WayreelFace",
                "WayreelGround", "WayreelImage", "WayreelLevels", "WayreelMapFiles", "WayreelStory",
                "WayreelStoryMedia", "WayreelTasks", "WayreelVideo", grdb,
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: strict),
        .target(
            name: "WayreelEngine", dependencies: ["CGeodesic", "WayreelCore", "WayreelDocument", "WayreelStory"],
            swiftSettings: strict),
        .target(
            name: "WayreelJournal",
            dependencies: [
                "WayreelCore", "WayreelDatabase", "WayreelDocument", "WayreelEngine", "WayreelStory", grdb, sqlite,
            ],
            swiftSettings: strict),
        .target(
            name: "WayreelMaps",
            dependencies: [
                "CQRCode", "WayreelCore", "WayreelDrawing", "WayreelEngine", "WayreelImage", "WayreelMapFiles",
                "WayreelStory",
            ],
            // The look of base maps, which the web player has, too.
            resources: [.embedInCode("Ground/style.json")], swiftSettings: strict),
        .target(
            name: "WayreelGoggles",
            dependencies: [
                "WayreelBundle", "WayreelCore", "WayreelDrawing", "WayreelEngine", "WayreelImage", "WayreelStory",
            ],
            // The World Magnetic Model, embedded in the binary.
            resources: [.embedInCode("WMM2025.COF")], swiftSettings: strict),
        // Base maps of OpenStreetMap extracts.
        .target(
            name: "WayreelGround",
            dependencies: [
                "CGeodesic", "COSM", "CZlib", "WayreelCore", "WayreelMapFiles",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict),
        // Places of extracts and of other files, and their search.
        .target(
            name: "WayreelPlaces",
            dependencies: [
                "WayreelCore", "WayreelDocument", "WayreelEngine", "WayreelGround", "WayreelMapFiles", "WayreelStory",
            ],
            // The table of kinds, which the symbolic link in Kinds/ points to.
            resources: [.embedInCode("Kinds/Places")], swiftSettings: strict),
        // Roads of OpenStreetMap extracts: matching of drives, what lies ahead, ways from place to place.
        .target(
            name: "WayreelRoads",
            dependencies: ["WayreelCore", "WayreelEngine", "WayreelGround", "WayreelMapFiles", "WayreelStory"],
            swiftSettings: strict),
        .target(
            name: "WayreelStreams",
            dependencies: [
                "CZip", "WayreelCore", "WayreelDocument", "WayreelDrawing", "WayreelEngine", "WayreelStory",
            ],
            swiftSettings: strict),
        // What a service keeps for players and for itself, behind protocols. It knows no HTTP.
        .target(
            name: "WayreelStorage",
            dependencies: [
                "WayreelCore", "WayreelDatabase", "WayreelEngine", "WayreelJournal", "WayreelStory", grdb,
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict),
        .target(
            name: "Wayreel",
            dependencies: [
                "WayreelBundle", "WayreelCore", "WayreelDocument", "WayreelEngine", "WayreelGoggles", "WayreelGround",
                "WayreelImage", "WayreelJournal", "WayreelLevels", "WayreelMapFiles", "WayreelMaps", "WayreelPlaces",
                "WayreelRoads", "WayreelStory", "WayreelStoryMedia", "WayreelStreams", "WayreelTasks", "WayreelTones",
                "WayreelVideo",
            ],
            swiftSettings: strict),
        .target(
            name: "WayreelPages",
            dependencies: [
                "CPages", "WayreelBundle", "WayreelCore", "WayreelDocument", "WayreelStory",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict),
        .target(
            name: "WayreelService",
            dependencies: [
                "CLinux", "CZlib", "WayreelBundle", "WayreelCore", "WayreelDocument", "WayreelEngine", "WayreelImage",
                "WayreelJournal", "WayreelLevels", "WayreelPages", "WayreelStorage", "WayreelStory", "WayreelStreams",
                "WayreelTasks", "WayreelVideo",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "JWTKit", package: "jwt-kit"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strictBesideFoundation),

        // The command. WayreelCLI imports no module with a database or a server: these would double the size of the
        // program that prepares captures, and slow its start.
        .target(
            name: "WayreelMedia",
            dependencies: [
                "WayreelCore", "WayreelDocument", "WayreelImage", "WayreelLevels", "WayreelStory", "WayreelStoryMedia",
                "WayreelTasks", "WayreelVideo",
            ],
            swiftSettings: strict),
        .target(
            name: "WayreelCLI",
            dependencies: [
                "CLinux", "CStartup", "WayreelAV", "WayreelBench", "WayreelCore", "WayreelDocument", "WayreelImage",
                "WayreelLevels", "WayreelMedia", "WayreelVideo", argumentParser,
            ],
            swiftSettings: strict),
        .target(
            name: "WayreelStoryCLI",
            dependencies: [
                "Wayreel", "WayreelBench", "WayreelCLI", "WayreelCore", "WayreelDocument", "WayreelEngine",
                "WayreelJournal", "WayreelLevels", "WayreelPages", "WayreelService", "WayreelStorage", "WayreelStreams",
                argumentParser,
            ],
            swiftSettings: strict),
        .executableTarget(name: "WayreelMain", dependencies: ["WayreelCLI"], swiftSettings: strict),
        .executableTarget(
            name: "WayreelFullMain", dependencies: ["WayreelCLI", "WayreelStoryCLI"], swiftSettings: strict),

        .target(
            name: "TestSupport", dependencies: ["WayreelCore", .product(name: "Crypto", package: "swift-crypto")],
            path: "Tests/TestSupport", swiftSettings: strict),
        // An implementation of the stores in memory, for tests of them and of what uses them.
        .target(
            name: "StorageSupport",
            dependencies: ["WayreelEngine", "WayreelJournal", "WayreelStorage", "WayreelStory"],
            path: "Tests/StorageSupport", swiftSettings: strict),
        .target(name: "KernelVariants", dependencies: ["WayreelKernels"], path: "Tests/KernelVariants"),
        .testTarget(
            name: "WayreelKernelsTests", dependencies: ["KernelVariants", "WayreelKernels", "TestSupport"],
            swiftSettings: strict),
        // libjpeg, with which the decoder is compared.
        .target(
            name: "JPEGReference", dependencies: ["CJPEG"], path: "Tests/JPEGReference",
            linkerSettings: [.linkedLibrary("jpeg")]),
        .testTarget(
            name: "WayreelJPEGTests", dependencies: ["WayreelJPEG", "JPEGReference", "WayreelCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelCoreTests", dependencies: ["WayreelCore", "CEBUR128", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "WayreelDocumentTests", dependencies: ["WayreelDocument", "WayreelCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelDatabaseTests", dependencies: ["WayreelDatabase", "WayreelCore", "TestSupport", grdb],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelGaugeTests", dependencies: ["WayreelBench", "WayreelCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelBenchTests",
            dependencies: ["WayreelBench", "WayreelDrawing", "WayreelCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelDrawingTests", dependencies: ["WayreelDrawing", "WayreelCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelChartsTests", dependencies: ["WayreelDrawing", "WayreelCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelImageTests",
            dependencies: [
                "WayreelImage", "WayreelCore", "WayreelKernels", "WayreelDrawing", "CLCMS2", "TestSupport",
            ],
            exclude: ["Fixtures"], swiftSettings: strict,
            // Tests call more functions of it than the library does.
            linkerSettings: [.linkedLibrary("lcms2")]),
        .testTarget(
            name: "WayreelAVTests", dependencies: ["WayreelAV", "JPEGReference", "WayreelCore", "TestSupport"],
            exclude: ["References"], swiftSettings: strict),
        .testTarget(
            name: "WayreelFaceTests", dependencies: ["WayreelFace", "WayreelCore", "WayreelImage", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelLevelsTests",
            dependencies: ["WayreelLevels", "WayreelCore", "WayreelDrawing", "WayreelKernels", "TestSupport"],
            exclude: ["Goldens"], swiftSettings: strict),
        .testTarget(
            name: "WayreelTonesTests", dependencies: ["WayreelTones", "WayreelCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelVideoTests",
            dependencies: ["WayreelVideo", "WayreelAV", "WayreelImage", "WayreelCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelHLSTests",
            dependencies: ["WayreelVideo", "WayreelAV", "WayreelImage", "WayreelCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelBundleTests",
            dependencies: [
                "WayreelBundle", "WayreelCore", "WayreelImage", "WayreelMapFiles", "WayreelStory", "WayreelTasks",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelStoryTests",
            dependencies: ["WayreelStory", "WayreelStoryMedia", "WayreelCore", "TestSupport"],
            exclude: ["Fixtures"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelEngineTests",
            dependencies: ["WayreelEngine", "WayreelJournal", "WayreelCore", "WayreelStory", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelJournalTests",
            dependencies: ["WayreelJournal", "WayreelEngine", "WayreelCore", "WayreelStory", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelStorageTests",
            dependencies: [
                "StorageSupport", "WayreelCore", "WayreelEngine", "WayreelJournal", "WayreelStorage", "WayreelStory",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelMapsTests",
            dependencies: [
                "WayreelMapFiles", "WayreelMaps", "WayreelEngine", "WayreelCore", "WayreelStory", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelGogglesTests",
            dependencies: [
                "WayreelGoggles", "WayreelEngine", "WayreelCore", "WayreelImage", "WayreelStory", "TestSupport",
            ],
            exclude: ["References"], swiftSettings: strict),
        .testTarget(
            name: "WayreelGroundTests",
            dependencies: ["WayreelGround", "WayreelMapFiles", "WayreelCore", "TestSupport"],
            exclude: ["Fixtures", "References"], swiftSettings: strict),
        .testTarget(
            name: "WayreelPlacesTests",
            dependencies: [
                "WayreelPlaces", "WayreelCore", "WayreelEngine", "WayreelMapFiles", "WayreelStory", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelRoadsTests",
            dependencies: [
                "WayreelRoads", "WayreelEngine", "WayreelGround", "WayreelMapFiles", "WayreelCore", "WayreelStory",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelStreamsTests",
            dependencies: [
                "WayreelStreams", "WayreelDrawing", "WayreelEngine", "WayreelCore", "WayreelStory", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelServiceTests",
            dependencies: [
                "StorageSupport", "WayreelBundle", "WayreelCore", "WayreelDocument", "WayreelEngine", "WayreelImage",
                "WayreelPages", "WayreelService", "WayreelStorage", "WayreelStory", "WayreelStreams", "TestSupport",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WayreelTests",
            dependencies: [
                "Wayreel", "WayreelCLI", "WayreelService", "WayreelStoryCLI", "TestSupport", argumentParser,
            ],
            swiftSettings: strict),
        // The tests of the programs import none of what the programs consist of, so that they are compiled beside it: a build
        // of the tests builds all programs.
        .testTarget(
            name: "WayreelCLITests", dependencies: ["WayreelStreams", "TestSupport"], swiftSettings: strict),
        // `wayreel serve`, as its clients see it.
        .testTarget(name: "WayreelServeTests", dependencies: ["TestSupport"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)

// Built only by `make fuzz`, because all that it is linked with needs sanitizers (see scripts/fuzz).
if Context.environment["WAYREEL_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "WayreelFuzz",
            dependencies: [
                "CLibFuzzer", "WayreelDocument", "WayreelImage", "WayreelLevels", "WayreelMapFiles", "WayreelMedia",
                "WayreelJPEG", "JPEGReference",
            ],
            path: "Fuzz/WayreelFuzz", swiftSettings: strict),
    ]
}

// Built only by `make build-inside`, which `Benchmarks/inside` calls, so that a build of the tests does not build it.
if Context.environment["WAYREEL_BENCHMARKS"] != nil {
    package.targets.append(
        .executableTarget(
            name: "InsideBench",
            dependencies: [
                "CJPEG", "CLinux", "Wayreel", "WayreelBench", "WayreelCore", "WayreelDatabase", "WayreelImage",
                "WayreelKernels", "WayreelLevels", grdb,
            ],
            path: "Benchmarks/InsideBench", swiftSettings: strictBesideFoundation))
}

// Set by `make build`: links the Swift libraries, and those in .build/static, into the programs, which start in half the
// time then. `--static-swift-stdlib` would also compile all code anew after the tests. Code that is compiled without it
// does not name the libraries that a static Foundation needs, so they are listed here.
if Context.environment["WAYREEL_STATIC"] != nil {
    let foundation = ["CoreFoundation", "_FoundationCollections", "_FoundationCShims", "_FoundationICU", "stdc++"]
    for program in package.targets where program.type == .executable {
        program.linkerSettings = [
            .unsafeFlags(["-static-stdlib", "-L.build/static"] + foundation.map { "-l" + $0 })
        ]
    }
}
