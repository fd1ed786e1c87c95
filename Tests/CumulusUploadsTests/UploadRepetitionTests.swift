// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import CumulusUploads
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// The requests of an upload that are sent again, and the responses that count as success.
@Suite(.timeLimit(.minutes(10))) struct UploadRepetitionTests {
    // MARK: Success

    @Test(arguments: [404, 500])
    func statusThatTheTreeAcceptsDoesNotCompleteAnUpload(code: Int) async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in
                guard request.method == .patch, let offset = request.field("Upload-Offset").flatMap({ Int($0) }) else {
                    return nil
                }
                let end = "\(offset + request.body.count)"
                return .response(HTTPResponse.Status(code: code), headers: ["Upload-Offset": end])
            }
        }
        let files = service.files { $0.acceptableStatuses = .range(200...599) }
        _ = try await failure(of: { try await files.upload(bench.file, by: .tus, options: bench.options()) })
        #expect(service.uploads.values.allSatisfy { $0.bytes.isEmpty })
    }

    @Test func pieceThatIsAcceptedWithoutBytesIsSentAFewTimes() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in request.method == .patch ? .response(.noContent) : nil }
        }
        let error = try await failure(of: {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        })
        #expect(error.code == .incomplete)
        #expect(error.message.contains("stores none of their bytes"))
        #expect(service.methods.count { $0 == "PATCH" } == 3)
    }

    @Test(arguments: [[:], ["Upload-Offset": "0"]] as [Headers])
    func policyWithoutALimitDoesNotMakeAnEndlessUpload(headers: Headers) async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in
                request.method == .patch ? .response(.noContent, headers: headers) : nil
            }
        }
        let files = service.files { $0.retry?.limit = .none }
        let error = try await failure(of: { try await files.upload(bench.file, by: .tus, options: bench.options()) })
        #expect(error.code == .incomplete)
        #expect(service.methods.count { $0 == "PATCH" } == 4)
    }

    @Test func serviceErrorDoesNotHideALostUpload() async throws {
        struct Missing: Error {}
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, state in
                if request.field("Upload-Offset") == "600", state.patches == 2 { state.uploads = [:] }
                return nil
            }
        }
        let files = service.files { $0.errorDecoders.append { $0.statusCode == 404 ? Missing() : nil } }
        let upload = try await files.upload(bench.file, by: .tus, options: bench.options())
        #expect(upload.restartReason == "the server no longer has the upload")
        #expect(service.bytes == bench.bytes)
    }

    // MARK: Repetition

    @Test func keyDoesNotLetRequestsBeRepeated() async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 100] })
        let files = service.files {
            $0.idempotencyKey = .auto
            $0.headers["Idempotency-Key"] = "\"tree\""
        }
        var call = files.prepareUpload(bench.file, by: .tus, options: bench.options())
        call.headers["Idempotency-Key"] = "\"call\""
        _ = try await call.send()
        #expect(service.bytes == bench.bytes)
        #expect(service.methods == ["OPTIONS", "POST", "PATCH", "PATCH", "HEAD", "PATCH", "PATCH"])
        #expect(service.transport.requests.allSatisfy { $0.field("Idempotency-Key") == nil })
    }

    @Test func keyDoesNotLetACreationBeRepeated() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, _ in
                if request.method == .post { throw TransportFailure(.connectionClosed, "lost") }
                return nil
            }
        }
        let files = service.files { $0.idempotencyKey = .auto }
        let error = try await failure(of: { try await files.upload(bench.file, by: .tus, options: bench.options()) })
        #expect(error.code == .connectionClosed)
        #expect(service.methods.count { $0 == "POST" } == 1)
    }

    @Test func refusedPieceContinuesAtTheOffsetAfterTheRequestedWait() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        let clock = ManualClock()
        let times = Mutex<[ContinuousClock.Instant]>([])
        service.change { state in
            state.intercept = { request, state in
                if request.method == .head { times.withLock { $0.append(clock.now) } }
                guard request.field("Upload-Offset") == "300", times.withLock(\.isEmpty) else { return nil }
                times.withLock { $0.append(clock.now) }
                // The server keeps some bytes, although it is busy.
                state.uploads["1"]?.bytes += request.body.prefix(100)
                return .response(.serviceUnavailable, headers: ["Retry-After": "7"])
            }
        }
        let site = Resource("https://tus.test", transport: service.transport)
        site.setRules { $0.clock = clock }
        let running = site["files"].prepareUpload(bench.file, by: .tus, options: bench.options()).start()
        try await eventually {
            clock.advanceToNextSleeper()
            return running.isFinished
        }
        #expect(try await running.value.sentByteCount == 300 + 300 + 300 + 300)
        #expect(service.bytes == bench.bytes)
        #expect(service.methods == ["OPTIONS", "POST", "PATCH", "PATCH", "HEAD", "PATCH", "PATCH"])
        let instants = times.withLock { $0 }
        #expect(instants.count == 2 && instants[1] - instants[0] >= .seconds(7))
    }

    @Test func creationThatFailsAfterALossIsNotTakenForAnInterruptedPiece() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        service.change { state in
            state.intercept = { request, state in
                switch request.method {
                case .patch: return .response(.noContent)
                case .head: return .response(.notFound)
                case .post where !state.uploads.isEmpty: throw TransportFailure(.connectionClosed, "lost")
                default: return nil
                }
            }
        }
        let error = try await failure(of: {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        })
        #expect(error.code == .connectionClosed)
        #expect(service.methods == ["OPTIONS", "POST", "PATCH", "HEAD", "OPTIONS", "POST"])
    }

    @Test(arguments: [409, 423], [true, false])
    func offsetIsRequestedAgainWhileTheServerIsBusy(code: Int, isNextRun: Bool) async throws {
        let (bench, service) = (try UploadBench(), TusService { $0.cuts = [nil, 50] })
        if isNextRun { try await service.interrupt(bench) }
        let busy = Mutex(2)
        service.change { state in
            state.intercept = { request, _ in
                guard request.method == .head else { return nil }
                let isBusy = busy.withLock { left in
                    left -= 1
                    return left >= 0
                }
                return isBusy ? .response(HTTPResponse.Status(code: code)) : nil
            }
        }
        let files = service.files { $0.retry?.limit = 4 }
        let upload = try await files.upload(bench.file, by: .tus, options: bench.options())
        #expect(upload.resumedByteCount == (isNextRun ? 350 : 0))
        #expect(service.bytes == bench.bytes)
        #expect(service.methods.count { $0 == "HEAD" } == 3)
    }

    @Test func offsetIsRequestedAFewTimesWhileTheServerIsBusy() async throws {
        let (bench, service) = (try UploadBench(), TusService())
        try await service.interrupt(bench)
        service.change { state in
            state.intercept = { request, _ in
                request.method == .head ? .response(HTTPResponse.Status(code: 423)) : nil
            }
        }
        let error = try await failure(of: {
            try await service.files().upload(bench.file, by: .tus, options: bench.options())
        })
        #expect(error.statusCode == 423)
        #expect(service.methods.count { $0 == "HEAD" } == 3)
        #expect(bench.recordNames.count == 2)
    }
}
