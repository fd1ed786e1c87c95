// swift-tools-version: 6.2
// The module graph, with the reason for each target above it. An arrow means "depends on":
//
//     Cumulus -> CumulusNIO (Linux) or CumulusURLSession (Apple) -> CumulusCore -> CumulusJSON -> CumulusPrimitives, CZlib
//     CumulusPrimitives, beneath them all -> CDigests, CZlib
//     CumulusBackground -> CumulusURLSession
//     CumulusNIO, CumulusCodings -> CumulusCore, CLibraries
//     CumulusFormats -> CumulusCore
//     CumulusXML, CumulusServices, CumulusAWS, CumulusUploads -> CumulusFormats
//     CumulusOAuth, CumulusSignatures, CumulusCache, CumulusTelemetry, CumulusLifecycle -> CumulusCore
//     CumulusYAML -> CumulusServices
//     CumulusTesting -> CumulusServices
//     CumulusTestServer -> CumulusTesting, CumulusAWS
//     CumulusCatalogs -> Cumulus, CumulusOAuth, CumulusServices
//     CumulusCLI -> CumulusCore + CumulusNIO + CumulusOAuth + CumulusAWS + CumulusCodings + CumulusFormats + CumulusYAML
//         + CumulusTesting
//     Tour -> Cumulus, CumulusOAuth, CumulusTestServer
//     ServerLoad -> ServerTrial -> CumulusNIO

import PackageDescription

// What a program resolves is what its traits name: without `NIO`, no SwiftNIO. All are on by default but `URLSession`,
// which is Linux's other transport.
let nio: TargetDependencyCondition? = .when(traits: ["NIO"])
// Apple's systems always have it. A dependency can't be declared twice with different conditions.
#if canImport(Darwin)
let defaultURLSession: TargetDependencyCondition? = .when(
    platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS, .macCatalyst]
)
#else
let defaultURLSession: TargetDependencyCondition? = .when(platforms: [.linux], traits: ["URLSession"])
#endif
let lifecycle: TargetDependencyCondition? = .when(traits: ["Lifecycle"])
let telemetry: TargetDependencyCondition? = .when(traits: ["Telemetry"])
let testServer: TargetDependencyCondition? = .when(traits: ["TestServer"])

// Apple requires apps to declare why their libraries use certain calls; Scripts/privacy.py checks the declarations. As a
// resource it makes a bundle, and the module import Foundation: not on Linux.
#if canImport(Darwin)
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
let unusedManifest: [String] = []
// Xcode's build system makes a folder for each product, on a disk that may not distinguish it from the library `Cumulus`.
let command = "cumulus-cli"
#else
let privacyManifest: [Resource] = []
let unusedManifest = ["PrivacyInfo.xcprivacy"]
let command = "cumulus"
#endif

let package = Package(
    name: "cumulus",
    // `Synchronization.Mutex` sets these.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Cumulus", targets: ["Cumulus"]),
        .library(name: "CumulusCore", targets: ["CumulusCore"]),
        .library(name: "CumulusJSON", targets: ["CumulusJSON"]),
        .library(name: "CumulusNIO", targets: ["CumulusNIO"]),
        .library(name: "CumulusURLSession", targets: ["CumulusURLSession"]),
        .library(name: "CumulusBackground", targets: ["CumulusBackground"]),
        .library(name: "CumulusCodings", targets: ["CumulusCodings"]),
        .library(name: "CumulusFormats", targets: ["CumulusFormats"]),
        .library(name: "CumulusXML", targets: ["CumulusXML"]),
        .library(name: "CumulusServices", targets: ["CumulusServices"]),
        .library(name: "CumulusOAuth", targets: ["CumulusOAuth"]),
        .library(name: "CumulusAWS", targets: ["CumulusAWS"]),
        .library(name: "CumulusUploads", targets: ["CumulusUploads"]),
        .library(name: "CumulusSignatures", targets: ["CumulusSignatures"]),
        .library(name: "CumulusCache", targets: ["CumulusCache"]),
        .library(name: "CumulusTelemetry", targets: ["CumulusTelemetry"]),
        .library(name: "CumulusLifecycle", targets: ["CumulusLifecycle"]),
        .library(name: "CumulusYAML", targets: ["CumulusYAML"]),
        .library(name: "CumulusCatalogs", targets: ["CumulusCatalogs"]),
        .library(name: "CumulusTesting", targets: ["CumulusTesting"]),
        .library(name: "CumulusTestServer", targets: ["CumulusTestServer"]),
        .executable(name: command, targets: ["CumulusCLI"]),
        .executable(name: "tour", targets: ["Tour"]),
    ],
    traits: [
        .trait(name: "NIO", description: "The transport over SwiftNIO, the default on Linux: CumulusNIO"),
        .trait(name: "URLSession", description: "URLSession as the default transport on Linux, if NIO is off"),
        .trait(name: "XML", description: "XML by Codable, with XMLCoder: CumulusXML"),
        .trait(name: "Signatures", description: "HTTP Message Signatures, with swift-crypto: CumulusSignatures"),
        .trait(name: "Telemetry", description: "Traces and metrics, with swift-distributed-tracing: CumulusTelemetry"),
        .trait(name: "Lifecycle", description: "Shutdown with swift-service-lifecycle: CumulusLifecycle"),
        .trait(
            name: "TestServer",
            description: "A loopback server for tests: CumulusTestServer",
            enabledTraits: ["NIO"]
        ),
        .trait(name: "Command", description: "The command", enabledTraits: ["NIO"]),
        .default(
            enabledTraits: ["Command", "Lifecycle", "NIO", "Signatures", "Telemetry", "TestServer", "XML"]
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/CoreOffice/XMLCoder", from: "0.18.2"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // The system's zlib, for gzip and deflate: in Apple's SDKs and in Swift's images for Linux.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .yum(["zlib-devel"])]),
        // MD5 and the SHAs where there is no CryptoKit; ours, so that no user's build compiles a second BoringSSL for them.
        .target(name: "CDigests"),
        // Text by bytes, digests, dates, private files and shared work for the modules above. Nothing that a request copies
        // is here, and every generic is `@inlinable`: it has no product, so nobody else sees it.
        .target(
            name: "CumulusPrimitives",
            dependencies: ["CDigests", "CZlib"],
            exclude: unusedManifest,
            resources: privacyManifest
        ),
        // JSON values, parsing, writing, `Codable`, paths and patches; beneath the core, which exports it, because it needs
        // nothing of HTTP.
        .target(name: "CumulusJSON", dependencies: ["CumulusPrimitives"]),
        // Everything that needs no socket: resources, settings, the pipeline, coders.
        .target(
            name: "CumulusCore",
            dependencies: [
                "CumulusJSON", "CumulusPrimitives", "CZlib",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: unusedManifest,
            resources: privacyManifest,
            // Apple's C library has it apart; others have it in the C library itself.
            linkerSettings: [
                .linkedLibrary("iconv", .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS, .macCatalyst]))
            ]
        ),
        // Libraries of the system that are loaded at run time: Brotli, Zstandard, and OpenSSL for PKCS#12; in C, which can
        // call what it finds there.
        .target(name: "CLibraries", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // Both as content codings; apart because few programs need more than gzip.
        .target(name: "CumulusCodings", dependencies: ["CLibraries", "CumulusCore"]),
        // XML as a tree, property lists, maps of fields; apart because most services speak JSON in the caller's own form.
        .target(name: "CumulusFormats", dependencies: ["CumulusCore", "CumulusPrimitives"]),
        // XML by `Codable`; apart because it brings XMLCoder and with it all of Foundation and libxml2.
        .target(
            name: "CumulusXML",
            dependencies: [
                "CumulusFormats", "CumulusCore", "CumulusPrimitives",
                .product(name: "XMLCoder", package: "XMLCoder", condition: .when(traits: ["XML"])),
            ]
        ),
        // Descriptions of services, their endpoints by name or with types, OpenAPI; apart because most programs name paths.
        .target(
            name: "CumulusServices",
            dependencies: [
                "CumulusFormats",
                "CumulusCore", "CumulusPrimitives", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // Tokens by OAuth 2; apart because most programs don't log anybody in.
        .target(
            name: "CumulusOAuth",
            dependencies: [
                "CumulusCore", "CumulusPrimitives", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // Signatures of Amazon's and compatible services; apart because few programs talk to those.
        .target(
            name: "CumulusAWS",
            dependencies: [
                "CumulusFormats",
                "CumulusCore", "CumulusPrimitives", .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // Uploads that continue after an interruption: tus, S3, the IETF draft; apart because few servers can do that.
        .target(
            name: "CumulusUploads",
            dependencies: [
                "CumulusCore", "CumulusFormats", "CumulusPrimitives",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: unusedManifest,
            resources: privacyManifest
        ),
        // HTTP Message Signatures; apart because few services want them, and because it brings swift-crypto.
        .target(
            name: "CumulusSignatures",
            dependencies: [
                "CumulusCore", "CumulusPrimitives",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Signatures"])),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // A private cache of responses; apart because most programs keep none.
        .target(
            name: "CumulusCache",
            dependencies: [
                "CumulusCore", "CumulusPrimitives",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: unusedManifest,
            resources: privacyManifest
        ),
        // Traces and metrics by OpenTelemetry's conventions; apart because it brings swift-metrics and
        // swift-distributed-tracing.
        .target(
            name: "CumulusTelemetry",
            dependencies: [
                "CumulusCore",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Metrics", package: "swift-metrics", condition: telemetry),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: telemetry),
            ]
        ),
        // A tree as a service that shuts down gracefully; apart because it brings swift-service-lifecycle.
        .target(
            name: "CumulusLifecycle",
            dependencies: [
                "CumulusCore",
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: lifecycle),
            ]
        ),
        // Service descriptions in YAML; apart because most programs read none.
        .target(name: "CumulusYAML", dependencies: ["CumulusCore", "CumulusServices", "CumulusPrimitives"]),
        // Our own transport; apart because it brings SwiftNIO and BoringSSL.
        .target(
            name: "CumulusNIO",
            dependencies: [
                "CLibraries", "CumulusCore", "CumulusPrimitives",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio", condition: nio),
                .product(name: "NIOPosix", package: "swift-nio", condition: nio),
                .product(name: "NIOTLS", package: "swift-nio", condition: nio),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: nio),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: nio),
                .product(name: "NIOHPACK", package: "swift-nio-http2", condition: nio),
            ]
        ),
        // URLSession as a transport; apart because it brings all of Foundation.
        .target(
            name: "CumulusURLSession",
            dependencies: [
                "CumulusCore", "CumulusPrimitives", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: unusedManifest,
            resources: privacyManifest
        ),
        // Transfers that continue without the app; apart because only Apple's systems have them.
        .target(
            name: "CumulusBackground",
            dependencies: [
                "CumulusCore", "CumulusPrimitives", "CumulusURLSession",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // For the tests of programs that use Cumulus: doubles that need no socket, fixtures, recordings, and a clock.
        .target(
            name: "CumulusTesting",
            dependencies: [
                "CumulusFormats",
                "CumulusCore", "CumulusPrimitives", "CumulusServices",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            exclude: unusedManifest,
            resources: privacyManifest
        ),
        // A loopback server, stand-ins for services, the list that transports are held to; apart because it brings
        // SwiftNIO, BoringSSL and certificates.
        .target(
            name: "CumulusTestServer",
            dependencies: [
                "CumulusFormats",
                "CumulusAWS", "CumulusCore", "CumulusPrimitives", "CumulusTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio", condition: nio),
                .product(name: "NIOPosix", package: "swift-nio", condition: nio),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: nio),
                .product(name: "NIOHTTP2", package: "swift-nio-http2", condition: nio),
                .product(name: "NIOTLS", package: "swift-nio", condition: nio),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: nio),
                .product(name: "X509", package: "swift-certificates", condition: testServer),
                .product(name: "Crypto", package: "swift-crypto", condition: testServer),
                .product(name: "SwiftASN1", package: "swift-asn1", condition: testServer),
            ]
        ),
        // What people import: the core plus the platform's default transport.
        .target(
            name: "Cumulus",
            dependencies: [
                "CumulusCore",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .target(name: "CumulusNIO", condition: .when(platforms: [.linux], traits: ["NIO"])),
                .target(name: "CumulusURLSession", condition: defaultURLSession),
            ]
        ),
        // Services of others, described; apart because most programs talk to none of them.
        .target(name: "CumulusCatalogs", dependencies: ["Cumulus", "CumulusOAuth", "CumulusServices"]),
        // The command.
        .executableTarget(
            name: "CumulusCLI",
            dependencies: [
                "CumulusFormats",
                "CumulusAWS", "CumulusCache", "CumulusCodings", "CumulusCore", "CumulusNIO", "CumulusOAuth",
                "CumulusPrimitives", "CumulusServices",
                // For recordings; it has no dependency that the command lacks.
                "CumulusTesting", "CumulusUploads", "CumulusYAML",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio", condition: nio),
            ]
        ),
        // The main job, run against a loopback service.
        .executableTarget(
            name: "Tour",
            dependencies: ["CumulusServices", "Cumulus", "CumulusOAuth", "CumulusTestServer", "CumulusTesting"]
        ),
        // The code that the guide shows, compiled and not linked: a program for each file took 9 GB of disk.
        .target(
            name: "GuideSnippets",
            dependencies: [
                "CumulusFormats",
                "Cumulus", "CumulusAWS", "CumulusBackground", "CumulusCache", "CumulusCatalogs", "CumulusCodings",
                "CumulusNIO", "CumulusOAuth",
                "CumulusLifecycle", "CumulusServices", "CumulusSignatures", "CumulusTelemetry", "CumulusTestServer",
                "CumulusTesting", "CumulusURLSession", "CumulusUploads",
                "CumulusXML", "SeedNetworks",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics", condition: telemetry),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: lifecycle),
                .product(name: "UnixSignals", package: "swift-service-lifecycle", condition: lifecycle),
                .product(name: "Tracing", package: "swift-distributed-tracing", condition: telemetry),
            ],
            path: "Examples/Snippets"
        ),
        // Folders and disks that several test targets use.
        .target(name: "TestSupport", dependencies: ["CumulusCore", "TestWidth"], path: "Tests/TestSupport"),
        // How many tests run at once; in C, because it has to be said before Swift Testing starts.
        .target(name: "TestWidth", path: "Tests/TestWidth"),
        // Beside swift-crypto, which CumulusTestServer has anyway.
        .testTarget(
            name: "CDigestsTests",
            dependencies: ["CDigests", .product(name: "Crypto", package: "swift-crypto")]
        ),
        .testTarget(name: "CumulusPrimitivesTests", dependencies: ["CumulusPrimitives", "TestSupport"]),
        .testTarget(name: "CumulusJSONTests", dependencies: ["CumulusJSON", "TestSupport"]),
        .testTarget(
            name: "CumulusCoreTests",
            dependencies: [
                "CumulusFormats",
                "CumulusServices",
                "CumulusAWS", "CumulusCore", "CumulusOAuth", "CumulusPrimitives", "CumulusTestServer", "CumulusTesting",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "CumulusNIOTests",
            dependencies: [
                "CLibraries", "CumulusCore", "CumulusNIO", "CumulusTestServer", "CumulusTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .testTarget(
            name: "CumulusURLSessionTests",
            dependencies: [
                "CumulusCore", "CumulusURLSession", "CumulusTestServer", "CumulusTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CumulusBackgroundTests",
            dependencies: [
                "CumulusBackground", "CumulusCore", "CumulusPrimitives", "CumulusTestServer", "CumulusTesting",
                "CumulusURLSession", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CumulusXMLTests",
            dependencies: [
                "CumulusFormats",
                "CumulusCore", "CumulusXML", "CumulusTesting", .product(name: "XMLCoder", package: "XMLCoder"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CumulusFormatsTests",
            dependencies: [
                "CumulusCore", "CumulusFormats", "CumulusPrimitives", "CumulusTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CumulusCodingsTests",
            dependencies: [
                "CumulusCodings", "CumulusCore", "CumulusTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CumulusSignaturesTests",
            dependencies: [
                "CumulusCore", "CumulusPrimitives", "CumulusSignatures", "CumulusTesting", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CumulusCacheTests",
            dependencies: [
                "CumulusAWS", "CumulusCache", "CumulusCore", "CumulusPrimitives", "CumulusTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "CumulusTelemetryTests",
            dependencies: [
                "CumulusCache", "CumulusCore", "CumulusNIO", "CumulusOAuth", "CumulusTelemetry", "CumulusTestServer",
                "CumulusTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        .testTarget(
            name: "CumulusLifecycleTests",
            dependencies: [
                "CumulusCore", "CumulusLifecycle", "CumulusNIO", "CumulusTestServer", "CumulusTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "CumulusServicesTests",
            dependencies: [
                "CumulusFormats",
                "CumulusCore", "CumulusPrimitives", "CumulusServices", "CumulusTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CumulusUploadsTests",
            dependencies: [
                "CumulusCore", "CumulusFormats", "CumulusPrimitives", "CumulusTesting", "CumulusUploads", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CumulusAWSTests",
            dependencies: [
                "CumulusFormats",
                "CumulusAWS", "CumulusCore", "CumulusPrimitives", "CumulusTestServer", "CumulusTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CumulusOAuthTests",
            dependencies: [
                "CumulusCore", "CumulusOAuth", "CumulusPrimitives", "CumulusTestServer", "CumulusTesting",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CumulusYAMLTests",
            dependencies: ["CumulusServices", "CumulusCore", "CumulusYAML", "TestSupport"]
        ),
        .testTarget(
            name: "CumulusTestingTests",
            dependencies: [
                "CumulusFormats",
                "CumulusCore", "CumulusServices", "CumulusTesting", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .testTarget(
            name: "CumulusTestServerTests",
            dependencies: [
                "CumulusFormats",
                "CumulusAWS", "CumulusCore", "CumulusTestServer", "CumulusTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .testTarget(
            name: "CumulusTests",
            dependencies: [
                "CumulusFormats",
                "CumulusServices", "Cumulus", "CumulusOAuth", "CumulusTestServer", "CumulusTesting", "GuideSnippets",
            ]
        ),
        .testTarget(
            name: "CumulusCatalogsTests",
            dependencies: [
                "CumulusFormats",
                "CumulusServices",
                "Cumulus", "CumulusCatalogs", "CumulusOAuth", "CumulusTestServer", "CumulusTesting", "SeedNetworks",
                "TestSupport",
            ]
        ),
        .testTarget(
            name: "CumulusCLITests",
            dependencies: [
                "CLibraries", "CumulusServices",
                "CumulusCLI", "CumulusCodings", "CumulusCore", "CumulusOAuth", "CumulusPrimitives", "CumulusTestServer",
                "CumulusTesting",
                "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // The seeds' samples, run against a service on loopback.
        .testTarget(
            name: "SeedTests",
            dependencies: [
                "Cumulus", "CumulusCatalogs", "CumulusFormats", "CumulusTesting", "CumulusTestServer", "SeedNetworks",
            ],
            path: "Examples/Seeds",
            exclude: [
                "ComingFromCocoaREST.md", "ComingFromCumulus.md", "ComingFromCycles.md", "Networks", "README.md",
                "Sections.md",
            ]
        ),
        // The networks of the seeds' time, for programs that move from CocoaREST: to copy, since their servers are gone.
        .target(
            name: "SeedNetworks",
            dependencies: ["Cumulus", "CumulusCatalogs", "CumulusOAuth", "CumulusServices"],
            path: "Examples/Seeds/Networks"
        ),
        // The public surface in use: a first screen, a server, a view model, an SDK.
        .testTarget(name: "SurfaceTests", dependencies: ["Cumulus", "CumulusTesting"], path: "Examples/Surface"),
        // An interceptor that sends late requests once more.
        .testTarget(name: "HedgingTests", dependencies: ["Cumulus", "CumulusTesting"], path: "Examples/Hedging"),
        // An authorizer of one's own: the tokens of container registries.
        .testTarget(name: "RegistryTests", dependencies: ["Cumulus", "CumulusTesting"], path: "Examples/Registry"),
        // Requests of many kinds to a server that we did not write, each answer checked.
        .target(
            name: "ServerTrial",
            dependencies: [
                "CumulusCore", "CumulusNIO", "CumulusPrimitives",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Interop/Trial"
        ),
        // The long trial of them; `Scripts/servers.sh` starts it.
        .executableTarget(
            name: "ServerLoad",
            dependencies: ["CumulusCore", "CumulusNIO", "ServerTrial"],
            path: "Interop/Load"
        ),
        // Against servers that we did not write; `Scripts/interop.sh` starts them.
        .testTarget(
            name: "InteropTests",
            dependencies: [
                "CumulusFormats",
                "CumulusServices",
                "CumulusAWS", "CumulusCache", "CumulusCLI", "CumulusCodings", "CumulusCore", "CumulusNIO",
                "CumulusOAuth",
                "CumulusPrimitives", "CumulusSignatures", "CumulusTesting", "CumulusURLSession", "CumulusYAML",
                "CumulusUploads", "GuideSnippets", "ServerTrial",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Interop",
            exclude: [
                "Load", "Servers", "Trial",
                "Support/fastapi_server.py", "Support/install.sh", "Support/kinto_server.py",
                "Support/make_certificates.sh", "Support/moto_account.py", "Support/multipart_server.py",
                "Support/oauth_server.py",
                "Support/presigned_url.py", "Support/registry_tokens.py", "Support/signature_server.py",
                "Support/toml_reader.py", "Support/tus_server.py", "Support/yaml_documents.py",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// For devices and simulators, whose systems start no programs: neither the command nor tests that do (Scripts/apple.sh).
if Context.environment["CUMULUS_DEVICE"] != nil {
    let tests: Set = ["CumulusTests", "CumulusURLSessionTests"]
    package.targets.removeAll { target in
        [.test, .executable].contains(target.type) && !tests.contains(target.name)
            || ["ServerTrial", "TestSupport", "TestWidth"].contains(target.name)
    }
    package.products.removeAll { $0 is Product.Executable }
}

// A system library takes no settings.
for target in package.targets where target.type != .system {
    var settings = target.swiftSettings ?? []
    settings += [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
    ].map { .enableUpcomingFeature($0) }
    // Warnings are errors in our checks, never in the build of a program that uses Cumulus; nobody debugs those builds.
    if Context.environment["CUMULUS_STRICT"] != nil {
        settings += [.treatAllWarnings(as: .error), .unsafeFlags(["-gnone"])]
    }
    target.swiftSettings = settings
}
