// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Programs with all upcoming features on, which import Cumulus and nothing else: `Scripts/check.sh` builds them.

import PackageDescription

let package = Package(
    name: "client-check",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "cumulus", path: "../..")],
    targets: ["ClientCheck", "OneGet"].map { name in
        .executableTarget(
            name: name,
            dependencies: [.product(name: "Cumulus", package: "cumulus")],
            swiftSettings: [
                "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
                "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
            ].map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
        )
    },
    swiftLanguageModes: [.v6]
)
