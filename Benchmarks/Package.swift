// swift-tools-version: 6.2
// A package of its own, so that the peers we measure against never reach a user's build.

import PackageDescription

let package = Package(
    name: "cumulus-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "cumulus", path: ".."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
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
        // What a signature adds to a request.
        .executableTarget(
            name: "SigningBenchmark",
            dependencies: [
                "Measure", .product(name: "CumulusAWS", package: "cumulus"),
                .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "CumulusSignatures", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // What it costs to choose cookies for a request, and to take some in.
        .executableTarget(
            name: "CookieBenchmark",
            dependencies: [
                "Measure", .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // What a request costs that is one of many in line, when a server refuses connections or a tree is shut down.
        .executableTarget(
            name: "WaitingBenchmark",
            dependencies: [
                .product(name: "CumulusCore", package: "cumulus"), .product(name: "CumulusNIO", package: "cumulus"),
            ]
        ),
        // What an HTTP cache costs a request, and spares it.
        .executableTarget(
            name: "CacheBenchmark",
            dependencies: [
                "Measure", .product(name: "CumulusCache", package: "cumulus"),
                .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // The cost of telemetry for a request, without backends and with backends that keep nothing.
        .executableTarget(
            name: "TelemetryBenchmark",
            dependencies: [
                "Measure", .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "CumulusTelemetry", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        // The exchanges that `Scripts/telemetry.py` compares with those of opentelemetry-python.
        .executableTarget(
            name: "TelemetryExchanges",
            dependencies: [
                .product(name: "CumulusCache", package: "cumulus"), .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "CumulusNIO", package: "cumulus"),
                .product(name: "CumulusTelemetry", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]
        ),
        // What it costs to expand URI templates.
        .executableTarget(
            name: "TemplateBenchmark",
            dependencies: ["Measure", .product(name: "CumulusCore", package: "cumulus")]
        ),
        // What patches of a megabyte cost.
        .executableTarget(
            name: "PatchBenchmark",
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
        // What an authorizer that has its token costs a call, in time and allocations.
        .executableTarget(
            name: "AuthorizationCost",
            dependencies: [
                "AllocationCount",
                .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "CumulusOAuth", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // What the clients in Swift have in common: workloads, clocks, counters.
        .target(name: "HTTPRun"),
        // Small and large requests by Cumulus; `compare_http.py` adds the peers, and these two in Swift.
        .executableTarget(
            name: "HTTPBenchmark",
            dependencies: [
                "HTTPRun",
                .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "CumulusNIO", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        .executableTarget(
            name: "AsyncHTTPClientPeer",
            dependencies: [
                "HTTPRun",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        .executableTarget(name: "URLSessionPeer", dependencies: ["HTTPRun"]),
        // Calls against a server that fails by chance; `compare_faults.py` starts that and adds the peers.
        .executableTarget(
            name: "FaultBenchmark",
            dependencies: [
                .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "CumulusNIO", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // Events from memory and from a connection, and many streams at once; `compare_events.py` adds the peers.
        .executableTarget(
            name: "EventBenchmark",
            dependencies: [
                .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "CumulusNIO", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
        // Many requests to a rude server: nothing hangs, leaks or ends twice. `Scripts/soak.sh` runs it.
        .executableTarget(
            name: "Soak",
            dependencies: [
                .product(name: "CumulusCore", package: "cumulus"),
                .product(name: "CumulusNIO", package: "cumulus"),
                .product(name: "CumulusTestServer", package: "cumulus"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
