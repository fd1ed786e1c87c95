// swift-tools-version: 6.2
// A package of its own, so that nothing of it reaches a user's build. `Scripts/fuzz.sh` builds and runs it.

import PackageDescription

let package = Package(
    name: "cumulus-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "cumulus", path: ".."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        // A link to CumulusNIO's folder, so that its parser is built without the TLS library.
        .target(
            name: "HTTP1",
            dependencies: [
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
            ]
        ),
        // All targets in one program; its first argument names the one that runs. libFuzzer brings `main`.
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "HTTP1",
                .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
