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
        // The same for the handshakes of SOCKS.
        .target(name: "SOCKS", dependencies: [.product(name: "NIOCore", package: "swift-nio")]),
        // Files of the command, which is a program and so can't be imported: a link to its folder, of which those are
        // built that read URLs, configurations and shell commands and write to terminals. Their imports are not
        // `@testable`, but what they need of the core is for the package's own modules only, hence the flag.
        .target(
            name: "Command",
            dependencies: [
                .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "CumulusFormats", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            sources: [
                "Arguments/Subcommand.swift",
                "Configuration/TOMLNumber.swift", "Configuration/TOMLReader+Strings.swift",
                "Configuration/TOMLReader.swift", "Configuration/TOMLTables.swift", "Configuration/TOMLValue.swift",
                "Curl/ShellLine.swift",
                "Items/RequestItem.swift", "Items/String+Bytes.swift", "Options/MethodName.swift",
                "Options/OutputPlan.swift", "Options/SimilarName.swift", "Options/URLShorthand.swift",
                "Options/URLShorthand+Slips.swift", "Options/UsageMistake.swift",
                "Output/BodyKind.swift", "Output/BodyPrinter.swift",
                "Output/ColorStyle.swift", "Output/ExchangeResult.swift",
                "Output/HeadText.swift", "Output/JSONFilter+Columns.swift",
                "Output/JSONFilter+Parsing.swift", "Output/JSONFilter.swift", "Output/JSONLayout.swift",
                "Output/JSONTokens.swift",
                "Output/LayoutLimits.swift", "Output/LineLayout.swift", "Output/OutputPieces.swift",
                "Output/Pager.swift", "Output/Quotation.swift", "Output/ResultFormat.swift",
                "Output/ResultValue.swift", "Output/SortedJSON.swift", "Output/TableFormat.swift",
                "Output/TerminalColor.swift", "Output/TerminalText.swift", "Output/XMLColors.swift",
                "Output/XMLLayout.swift", "Output/XMLOutline.swift", "Output/XMLTokens.swift",
            ],
            swiftSettings: [
                .enableUpcomingFeature("InternalImportsByDefault"),
                .unsafeFlags(
                    ["CumulusCore", "CumulusJSON", "CumulusFormats", "CumulusPrimitives"]
                        .flatMap { ["-Xfrontend", "-testable-import-module", "-Xfrontend", $0] }
                ),
            ]
        ),
        // All targets in one program; its first argument names the one that runs. libFuzzer brings `main`.
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "HTTP1", "SOCKS", "Command",
                .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "CumulusCodings", package: "cumulus"),
                .product(name: "CumulusFormats", package: "cumulus"),
                .product(name: "CumulusXML", package: "cumulus"),
                .product(name: "CumulusYAML", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
