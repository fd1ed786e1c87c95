// swift-tools-version: 6.2
// A package of its own, so that the peers we measure against never reach a user's build.

import PackageDescription

let package = Package(
    name: "cumulus-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "cumulus", path: "..")
    ],
    targets: [
        // Counts calls of malloc: the deterministic figure beside noisy times.
        .target(name: "AllocationCount"),
        // Warm-up, rounds, medians, printing.
        .target(name: "Measure", dependencies: ["AllocationCount"]),
        // What it costs to resolve settings.
        .executableTarget(
            name: "SettingsBenchmark",
            dependencies: ["Measure", .product(name: "CumulusCore", package: "cumulus")]
        ),
        // Reading and writing JSON, against Foundation; `compare_json.py` adds the peers that aren't Swift.
        .executableTarget(
            name: "JSONBenchmark",
            dependencies: [.product(name: "CumulusCore", package: "cumulus")]
        ),
        // The allocations of reading JSON: a promise that needs no quiet machine to be checked.
        .executableTarget(
            name: "JSONAllocations",
            dependencies: ["AllocationCount", .product(name: "CumulusCore", package: "cumulus")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
