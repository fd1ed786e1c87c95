// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Decoded values into SQLite by GRDB: `Scripts/check.sh` runs its tests. On Linux it needs libsqlite3-dev.

import PackageDescription

let features: [SwiftSetting] =
    [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
    ].map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]

let package = Package(
    name: "records",
    platforms: [.macOS(.v15)],
    products: [.library(name: "Records", targets: ["Records"])],
    dependencies: [
        .package(name: "cumulus", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    ],
    targets: [
        .target(
            name: "Records",
            dependencies: [
                .product(name: "Cumulus", package: "cumulus"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: features
        ),
        .testTarget(
            name: "RecordsTests",
            dependencies: [
                "Records",
                .product(name: "Cumulus", package: "cumulus"),
                .product(name: "CumulusTestServer", package: "cumulus"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: features
        ),
    ],
    swiftLanguageModes: [.v6]
)
