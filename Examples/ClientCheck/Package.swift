// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// A program with all upcoming features on, which imports Cumulus and nothing else: `Scripts/check.sh` builds it.

import PackageDescription

let package = Package(
    name: "client-check",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "cumulus", path: "../..")],
    targets: [
        .executableTarget(
            name: "ClientCheck",
            dependencies: [.product(name: "Cumulus", package: "cumulus")],
            swiftSettings: [
                "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
                "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
            ].map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
        )
    ],
    swiftLanguageModes: [.v6]
)
