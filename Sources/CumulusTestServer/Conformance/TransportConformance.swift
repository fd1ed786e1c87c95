// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import CumulusTesting

/// The requirements for every transport, as a list of named cases that run against real servers on the loopback
/// interface.
///
/// A test target runs the whole list with its transport. Here `list` is
/// `TransportConformance { root in try MyTransport(trusting: root) }`:
///
///     @Test(arguments: TransportConformance.Case.allCases)
///     func conforms(to testCase: TransportConformance.Case) async {
///         let verdict = await Self.list.run(testCase)
///         #expect(verdict.isAcceptable, "\(verdict)")
///     }
///
/// A case is skipped if the transport lacks a capability, or if it is excluded by name, with a reason.
public struct TransportConformance: Sendable {
    /// The result of a case.
    public enum CaseResult: Sendable, Hashable, CustomStringConvertible {
        /// The transport met the requirement.
        case passed
        /// The transport didn't meet the requirement; the reason describes what happened.
        case failed(String)
        /// The case didn't run; the reason names the capability or the exclusion.
        case skipped(String)

        /// Whether the result is not a failure.
        public var isAcceptable: Bool {
            if case .failed = self { false } else { true }
        }

        /// The result, and its reason if there is one.
        public var description: String {
            switch self {
            case .passed: "passed"
            case .failed(let reason): "failed: \(reason)"
            case .skipped(let reason): "skipped: \(reason)"
            }
        }
    }

    /// Creates a transport that trusts a root in PEM in addition to the system's, or only the system's if it is `nil`.
    public typealias MakeTransport = @Sendable (_ rootPEM: String?) async throws -> any Transport
    /// Shuts down a transport after its case.
    public typealias StopTransport = @Sendable (any Transport) async -> Void

    let makeTransport: MakeTransport
    let stopTransport: StopTransport
    let exclusions: [Case: String]
    let limit: Duration
    let httpVersion: HTTPVersion

    /// Creates the list for one kind of transport.
    ///
    /// - Parameters:
    ///   - exclusions: The cases that don't run, with their reasons.
    ///   - limit: The time after which a case counts as hanging.
    ///   - httpVersion: The version of HTTP for the requests; with `.http2`, the servers support only that version.
    ///   - stopTransport: Shuts down a transport after its case; by default, it does nothing.
    ///   - makeTransport: Creates a new transport for a case.
    public init(
        exclusions: [Case: String] = [:],
        limit: Duration = .seconds(300),
        httpVersion: HTTPVersion = .automatic,
        stopTransport: @escaping StopTransport = { _ in },
        makeTransport: @escaping MakeTransport
    ) {
        self.exclusions = exclusions
        self.limit = limit
        self.httpVersion = httpVersion
        self.stopTransport = stopTransport
        self.makeTransport = makeTransport
    }

    /// Runs one case on its own transport.
    public func run(_ testCase: Case) async -> CaseResult {
        if let reason = exclusions[testCase] { return .skipped("excluded: \(reason)") }
        do {
            let result = try await TimeLimit.run(limit) { await self.result(testCase) }
            return result ?? .failed("not done within \(limit)")
        } catch {
            return .failed("\(error)")
        }
    }

    private func result(_ testCase: Case) async -> CaseResult {
        do {
            let plain = try await makeTransport(nil)
            if let lack = testCase.requirement?.lack(in: plain.capabilities) {
                await stopTransport(plain)
                return .skipped(lack)
            }
            let bench = ConformanceBench(transport: plain, list: self)
            let result = await result { try await testCase.body(bench) }
            await stopTransport(plain)
            return result
        } catch {
            return .failed("the transport could not be created: \(error)")
        }
    }

    private func result(_ body: () async throws -> Void) async -> CaseResult {
        do {
            try await body()
            return .passed
        } catch let skip as ConformanceSkip {
            return .skipped(skip.reason)
        } catch let failure as ConformanceFailure {
            return .failed(failure.reason)
        } catch {
            return .failed("threw \(error)")
        }
    }
}

/// A violated expectation of a case.
struct ConformanceFailure: Error {
    let reason: String
}

/// Why a case can't run here.
struct ConformanceSkip: Error {
    let reason: String
}
