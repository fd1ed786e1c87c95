// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import CumulusUploads
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TusInterruptionTests {
    @Test func interruptedPieceContinuesAtTheServersOffset() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 100, 0] })
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.bytes == bench.bytes)
        #expect(
            service.methods
                == ["OPTIONS", "POST", "PATCH", "PATCH", "HEAD", "PATCH", "HEAD", "PATCH", "PATCH"]
        )
        #expect(upload.sentByteCount == 300 + 300 + 300 + 300 + 300)
    }

    @Test(arguments: [409, 423, 460, 500, 503])
    func offsetIsRequestedAfterAStatus(code: Int) async throws {
        let (bench, service) = (try UploadBench(), TusService())
        let patches = Mutex(0)
        service.change { state in
            state.intercept = { request, _ in
                guard request.method == .patch else { return nil }
                let number = patches.withLock { patches in
                    patches += 1
                    return patches
                }
                return number == 2 ? .response(HTTPResponse.Status(code: code)) : nil
            }
        }
        try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.bytes == bench.bytes)
        #expect(service.methods.count { $0 == "HEAD" } == 1)
    }

    @Test func interruptionsAreLimitedByThePolicy() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 0, 0, 0, 0, 0, 0] })
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.code == .incomplete)
        #expect(error.message.contains("interrupted after 300 bytes of 1000"))
        #expect(service.methods.count { $0 == "PATCH" } == 4)
    }

    @Test func serverThatStaysAwayIsReportedAsAnInterruption() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 10] })
        service.change { state in
            state.intercept = { request, _ in request.method == .head ? .response(.serviceUnavailable) : nil }
        }
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.code == .incomplete)
        #expect(service.methods.count { $0 == "HEAD" } == 3)
        #expect(bench.recordNames.count == 2)
    }

    @Test func statusThatWillNotChangeIsNotRepeated() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in request.method == .patch ? .response(.forbidden) : nil }
        }
        let error = try await failure {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        }
        #expect(error.statusCode == 403)
        #expect(service.methods == ["OPTIONS", "POST", "PATCH"])
    }

    @Test func creationIsNotRepeatedEvenIfThePolicyAllowsIt() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in
                if request.method == .post { throw TransportFailure(.connectionClosed, "lost") }
                return nil
            }
        }
        var policy = RetryPolicy(limit: 5, methods: [.post, .patch, .head])
        policy.decide = { $0.request.method == .post ? .again() : .stop }
        let files = service.files { [policy] in $0.retry = policy }
        let error = try await failure { try await files.upload(bench.file, by: .tus, options: bench.options()) }
        #expect(error.code == .connectionClosed)
        #expect(service.methods.count { $0 == "POST" } == 1)
    }

    @Test func nextRunContinues() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 50] })
        let broken = service.files { $0.retry = .never }
        let error = try await failure { try await broken.upload(bench.file, by: .tus, options: bench.options()) }
        #expect(error.code == .incomplete)
        #expect(bench.recordNames.count == 2)
        let before = service.transport.requests.count
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.methods.dropFirst(before) == ["HEAD", "PATCH", "PATCH", "PATCH"])
        #expect(service.bytes == bench.bytes)
        #expect((upload.resumedByteCount, upload.sentByteCount) == (350, 650))
        #expect(upload.restartReason == nil)
        #expect(bench.recordNames.isEmpty)
    }

    @Test func nextRunOfACompleteUploadSendsNothing() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, state in
                guard request.method == .patch, request.field("Upload-Offset") == "900" else { return nil }
                state.uploads["1"]?.bytes += request.body
                throw TransportFailure(.connectionClosed, "lost")
            }
        }
        let broken = service.files { $0.retry = .never }
        _ = try await failure { try await broken.upload(bench.file, by: .tus, options: bench.options()) }
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.bytes == bench.bytes)
        #expect((upload.resumedByteCount, upload.sentByteCount) == (1_000, 0))
    }

    @Test func lostLastResponseIsFollowedByAQuestionOnly() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, nil, nil, 100] })
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.bytes == bench.bytes)
        #expect(service.methods.suffix(2) == ["PATCH", "HEAD"])
        #expect(upload.sentByteCount == 1_000)
    }

    @Test func uploadThatTheServerLostStartsOver() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 50] })
        let broken = service.files { $0.retry = .never }
        _ = try await failure { try await broken.upload(bench.file, by: .tus, options: bench.options()) }
        service.change { $0.uploads = [:] }
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.bytes == bench.bytes)
        #expect(upload.restartReason == "the server no longer has the upload")
        #expect(upload.sentByteCount == 1_000)
    }

    @Test func uploadThatTheServerLosesMeanwhileStartsOver() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, state in
                if request.method == .patch, request.field("Upload-Offset") == "600", state.patches == 2 {
                    state.uploads = [:]
                }
                return nil
            }
        }
        let upload = try await service.files().upload(bench.file, by: .tus, options: bench.options())
        #expect(service.bytes == bench.bytes)
        #expect(upload.restartReason == "the server no longer has the upload")
        #expect(upload.sentByteCount == 1_900)
    }

    @Test func withoutResumingTheEarlierUploadIsRemoved() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 50] })
        let broken = service.files { $0.retry = .never }
        _ = try await failure { try await broken.upload(bench.file, by: .tus, options: bench.options()) }
        try await service.files().upload(bench.file, by: .tus, options: bench.options(resume: false))
        #expect(service.methods.contains("DELETE"))
        #expect(service.bytes == bench.bytes)
    }

    @Test func abandonedUploadIsRemovedAtBothEnds() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 50] })
        let broken = service.files { $0.retry = .never }
        _ = try await failure { try await broken.upload(bench.file, by: .tus, options: bench.options()) }
        #expect(try await broken.abandonUpload(of: bench.file, by: .tus, options: bench.options()))
        #expect(service.uploads.isEmpty)
        #expect(bench.recordNames.isEmpty)
        #expect(try await !broken.abandonUpload(of: bench.file, by: .tus, options: bench.options()))
    }

    @Test func pausedUploadContinuesWithTheRemainingBytes() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        let (gate, reached) = (Gate(), Gate())
        let isHeld = Mutex(true)
        let transport = StubTransport(answering: { request in
            let holds = request.field("Upload-Offset") == "600" && isHeld.withLock { $0 }
            if holds {
                isHeld.withLock { $0 = false }
                reached.open()
                try await gate.wait()
            }
            let response = try await service.transport.send(request.request)
            return .response(response.head.status, headers: Headers(response.head.headers))
        })
        let site = Resource("https://tus.test", transport: transport)
        let running = site["files"].prepareUpload(bench.file, by: .tus, options: bench.options()).start()
        try await reached.wait()
        running.pause()
        #expect(running.isPaused)
        gate.open()
        running.resume()
        let upload = try await running.value
        #expect(service.bytes == bench.bytes)
        #expect(upload.resumedByteCount >= 600)
    }

    @Test func progressCountsAcknowledgedBytes() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 100] })
        let events = Mutex<[TransferProgress]>([])
        try await service.files().upload(bench.file, by: .tus, options: bench.options()) { event in
            events.withLock { $0.append(event) }
        }
        let all = events.withLock { $0 }
        #expect(all.first?.completed == 0)
        #expect(all.last?.completed == 1_000 && all.last?.isFinished == true)
        #expect(all.allSatisfy { [0, 300, 400, 700, 1_000].contains($0.completed) && $0.total == 1_000 })
        #expect(all.allSatisfy { $0.direction == .sending && $0.file == bench.file })
    }

    private func failure(_ call: () async throws -> UploadedFile) async throws -> CumulusError {
        try await TestSupport.failure(of: call)
    }
}
