// SPDX-License-Identifier: Apache-2.0

/// The faults of a loopback server, for each request: a sequence, your own rule, or random faults.
///
/// ```swift
/// let faults = FaultScript.sequence([], [.delay(.seconds(1)), .cut(at: 100)], [.close])
/// let server = try await LoopbackServer.start(configuration: .init(faults: faults)) { routes in
///     routes.get("/posts") { _ in .json(["Clouds"]) }
///     routes.get("/flaky") { _ in .text("sometimes").failing(.drip(bytes: 1, every: .milliseconds(10))) }
/// }
/// ```
///
/// Requests after the end of a sequence receive correct responses. A fault in place of a response takes effect before
/// the route runs.
public struct FaultScript: Sendable {
    /// The seed of random faults; `nil` if the faults are not random.
    public let seed: UInt64?
    let faults: @Sendable (ServerRequest) -> [ServerFault]

    /// Creates a script from a rule.
    ///
    /// - Parameter faults: Returns the faults for a request; an empty list means a correct response. The request
    ///   doesn't yet have its body and parameters; ``ServerRequest/number`` is its number on the server.
    public init(_ faults: @escaping @Sendable (ServerRequest) -> [ServerFault]) {
        self.init(seed: nil, faults)
    }

    private init(seed: UInt64?, _ faults: @escaping @Sendable (ServerRequest) -> [ServerFault]) {
        self.seed = seed
        self.faults = faults
    }

    /// Creates a script with the faults of the first request, the second, and so on.
    ///
    /// Later requests succeed.
    public static func sequence(_ faults: [ServerFault]...) -> FaultScript {
        FaultScript { request in faults.indices ~= request.number - 1 ? faults[request.number - 1] : [] }
    }

    /// Creates a script with random faults, which are the same in each run with the same seed: the n-th request has the
    /// same fault.
    ///
    /// This method prints the seed, so that a failed run can be repeated.
    ///
    /// - Parameters:
    ///   - faults: The faults from which one is chosen.
    ///   - rate: The share of requests with a fault, from 0 to 1.
    ///   - seed: The seed of the run to repeat; `nil` chooses one.
    /// - Returns: The script, whose ``seed`` is set.
    public static func random(
        _ faults: [ServerFault] = usual,
        rate: Double = 0.3,
        seed: UInt64? = nil
    ) -> FaultScript {
        let seed = seed ?? .random(in: 0...UInt64.max)
        print("CumulusTestServer: random faults, seed: \(seed)")
        return FaultScript(seed: seed) { request in
            var numbers = SeededNumbers(state: seed &+ UInt64(request.number) &* 0x1_0000_0001)
            guard Double.random(in: 0..<1, using: &numbers) < rate else { return [] }
            return faults.randomElement(using: &numbers).map { [$0] } ?? []
        }
    }

    /// The default faults of ``random(_:rate:seed:)``, none of which lasts longer than 50 ms.
    public static let usual: [ServerFault] = [
        .delay(.milliseconds(50)), .earlyHints(link: "</style.css>; rel=preload"),
        .drip(bytes: 7, every: .microseconds(100)), .cut(at: 0), .cut(at: 10), .reset(at: 0), .reset(at: 10),
        .wrongLength(by: 1), .close, .garbage, .goAway, .resetStream(errorCode: 7),
    ]
}

/// Numbers that a seed determines (SplitMix64).
private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
