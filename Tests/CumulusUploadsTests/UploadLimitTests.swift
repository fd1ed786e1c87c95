// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import CumulusUploads
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Limits of an upload, its record after a refusal, and what it reports.
@Suite(.timeLimit(.minutes(10))) struct UploadLimitTests {
    // MARK: Limits

    @Test func deadlineOfZeroSendsNothing() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        let files = service.files { $0.deadline = .zero }
        let error = try await failure(of: { try await files.upload(bench.file, by: .tus, options: bench.options()) })
        #expect(error.code == .timeout && error.phase == .total)
        #expect(service.methods.isEmpty)
    }

    enum Obstacle: CaseIterable, Sendable {
        case deadline, longestWait, date, budget
    }

    /// If one of these waited, the clock, which stands still, would not let it end.
    @Test(arguments: Obstacle.allCases)
    func waitThatIsNotAllowedEndsTheUpload(obstacle: Obstacle) async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in
                guard request.method == .patch else { return nil }
                switch obstacle {
                case .deadline: return .response(.serviceUnavailable, headers: ["Retry-After": "30"])
                case .longestWait: return .response(.serviceUnavailable, headers: ["Retry-After": "61"])
                case .date:
                    let now = "Sun, 06 Nov 1994 08:00:00 GMT"
                    let later = "Sun, 06 Nov 1994 08:01:01 GMT"
                    return .response(.serviceUnavailable, headers: ["Date": "\(now)", "Retry-After": "\(later)"])
                case .budget: throw TransportFailure(.connectionClosed, "lost")
                }
            }
        }
        let site = Resource("https://tus.test", transport: service.transport)
        site.setRules {
            $0.clock = ManualClock()
            if obstacle == .deadline { $0.deadline = .seconds(20) }
            if obstacle == .budget { $0.retry?.budget = RetryBudget(burst: 0, share: 0, perSecond: 0) }
        }
        let error = try await failure(of: {
            try await site["files"].upload(bench.file, by: .tus, options: bench.options())
        })
        #expect(error.code == .incomplete)
        #expect(service.methods == ["OPTIONS", "POST", "PATCH"])
    }

    // MARK: Records

    @Test(arguments: [401, 403])
    func refusedOffsetIsAnErrorThatKeepsTheRecord(code: Int) async throws {
        let (bench, service) = (try UploadBench(), TusService())
        try await service.interrupt(bench)
        service.change { state in
            state.intercept = { request, _ in
                request.method == .head ? .response(HTTPResponse.Status(code: code)) : nil
            }
        }
        let error = try await failure(of: {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        })
        #expect(error.statusCode == code)
        #expect(service.methods.count { $0 == "POST" } == 1)
        service.change { $0.intercept = nil }
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(upload.resumedByteCount == 350)
    }

    @Test func recordStaysUntilThereIsAnotherUpload() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        try await service.interrupt(bench)
        service.change { state in
            state.intercept = { request, _ in
                switch request.method {
                case .head: .response(.notFound)
                case .post: .response(.badRequest)
                default: nil
                }
            }
        }
        let error = try await failure(of: {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        })
        #expect(error.statusCode == 400)
        service.change { $0.intercept = nil }
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(upload.resumedByteCount == 350)
    }

    // MARK: Caches and progress

    @Test func stateIsNotRequestedFromACache() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 100] })
        var call = service.files().prepareUpload(bench.file, by: .tus, options: bench.options())
        call.headers[.cacheControl] = "max-age=60"
        _ = try await call.send()
        for request in service.transport.requests {
            let expected = request.method == .head || request.method == .options ? "no-store" : "max-age=60"
            #expect(request.field("Cache-Control") == expected)
        }
    }

    @Test func progressOfBytesThatAreSentWithTheCreationBeginsAtZero() async throws {
        let bench = try UploadBench(200)
        let service = TusService { $0.extensions += ",creation-with-upload" }
        let events = Mutex<[TransferProgress]>([])
        try await service.files().upload(bench.file, by: .tus, options: bench.options()) { event in
            events.withLock { $0.append(event) }
        }
        let all = events.withLock { $0 }
        #expect(all.first?.completed == 0)
        #expect(all.last?.completed == 200 && all.last?.isFinished == true)
    }
}
