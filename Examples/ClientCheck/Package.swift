// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
// Programs with all upcoming features on, which import Cumulus and nothing else. `Scripts/check.sh` builds them:
// ClientCheck uses what most programs use, FirstRequest is the README's program, and OwnParts, which has parts of its
// own, is run as well.

import PackageDescription

let features: [SwiftSetting] =
    [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
        "NonisolatedNonsendingByDefault", "InferIsolatedConformances",
    ].map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
let cumulus: Target.Dependency = .product(name: "Cumulus", package: "cumulus")

let package = Package(
    name: "client-check",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "cumulus", path: "../..")],
    targets: [
        .executableTarget(name: "ClientCheck", dependencies: [cumulus], swiftSettings: features),
        .executableTarget(name: "FirstRequest", dependencies: [cumulus], swiftSettings: features),
        .executableTarget(name: "OwnParts", dependencies: [cumulus], swiftSettings: features),
    ],
    swiftLanguageModes: [.v6]
)
