// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Parts of a stranger's own, with one import and nothing but what is public: `Scripts/check.sh` builds and runs it.

import PackageDescription

let package = Package(
    name: "own-parts",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "cumulus", path: "../..")],
    targets: [
        .executableTarget(
            name: "OwnParts",
            dependencies: [.product(name: "Cumulus", package: "cumulus")],
            swiftSettings: [
                "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
                "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
            ].map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
        )
    ],
    swiftLanguageModes: [.v6]
)
