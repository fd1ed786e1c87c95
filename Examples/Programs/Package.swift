// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// A command-line program, a server that asks two services, and an app: `Scripts/check.sh` runs their tests.

import PackageDescription

let features: [SwiftSetting] =
    [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
    ].map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
let cumulus: Target.Dependency = .product(name: "Cumulus", package: "cumulus")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")

let package = Package(
    name: "programs",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [
        .package(name: "cumulus", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.25.0", traits: []),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "Shelf", dependencies: [cumulus], swiftSettings: features),
        .executableTarget(name: "ShelfTool", dependencies: ["Shelf", cumulus], swiftSettings: features),
        .target(
            name: "FrontDesk",
            dependencies: [
                cumulus, hummingbird, .product(name: "CumulusLifecycle", package: "cumulus"),
                .product(name: "CumulusTelemetry", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: features
        ),
        .executableTarget(
            name: "FrontDeskServer",
            dependencies: [
                "FrontDesk", cumulus, hummingbird, .product(name: "CumulusNIO", package: "cumulus"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: features
        ),
        .target(name: "Journal", dependencies: [cumulus], swiftSettings: features),
        .executableTarget(
            name: "JournalApp",
            dependencies: ["Journal", cumulus, .product(name: "CumulusTesting", package: "cumulus")],
            swiftSettings: features
        ),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "Shelf", "FrontDesk", "Journal", cumulus, hummingbird,
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "CumulusTestServer", package: "cumulus"),
                .product(name: "CumulusTesting", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "CumulusNIO", package: "cumulus"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: features
        ),
    ],
    swiftLanguageModes: [.v6]
)
