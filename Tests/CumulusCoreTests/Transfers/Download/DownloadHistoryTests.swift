// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// The records of a download's requests.
@Suite(.timeLimit(.minutes(10))) struct DownloadHistoryTests {
    @Test("each request of a download has its record, in the file and in an error") func records() async throws {
        let bench = try DownloadBench()
        bench.site.setRules { $0.retry?.backoff = RetryBackoff(base: .zero) }
        bench.remote.change {
            $0.breaks = [10_000]
            $0.twists = [nil, { _, _ in .response(.serviceUnavailable) }]
        }
        let attempts = try #require(try await bench.download().response).attempts
        #expect(attempts.map(\.number) == [1, 2, 3])
        #expect(attempts.map(\.reason) == [.call, .resume, .resume])
        #expect(attempts.map(DownloadTrail.init) == [.failed(.truncatedBody), .responded(503), .responded(206)])
        #expect(attempts.map { $0.retry?.delay } == [.zero, .zero, nil])

        bench.remote.change { $0.breaks = [10_000, 10_000, 10_000] }
        let error = try await bench.failure(DownloadOptions(existing: .replace))
        #expect(error.attempts.map(\.reason) == [.call, .resume, .resume])
        #expect(error.attempts.allSatisfy { DownloadTrail($0) == .failed(.truncatedBody) })
        #expect(error.attempts.last?.retry?.obstacle == .limit(2))

        bench.remote.change { $0.twists = [{ _, _ in .response(.notFound) }] }
        #expect(try await bench.failure(DownloadOptions(existing: .replace)).attempts.isEmpty)
    }

    @Test("of many requests, the first and the last have their records") func manyRecords() async throws {
        let bench = try DownloadBench()
        bench.site.setRules { $0.retry = RetryPolicy(limit: 100, backoff: RetryBackoff(base: .zero), budget: nil) }
        bench.remote.change { $0.breaks = Array(repeating: 1_000, count: 60) }
        let attempts = try #require(try await bench.download().response).attempts
        #expect(attempts.map(\.number) == Array(1...8) + Array(37...61))
        #expect(attempts.dropFirst().allSatisfy { $0.reason == .resume })
        #expect(bench.bytes() == bench.remote.bytes)
    }
}

/// How a download's request ended.
private enum DownloadTrail: Equatable {
    case responded(Int)
    case failed(CumulusError.Code?)

    init(_ record: AttemptRecord) {
        switch record.outcome {
        case .responded(let status): self = .responded(status.code)
        case .failed(let error): self = .failed((error as? CumulusError)?.code)
        }
    }
}
