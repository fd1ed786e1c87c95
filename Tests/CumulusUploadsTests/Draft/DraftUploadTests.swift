// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import CumulusUploads
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// Uploads by the IETF's draft, to a server in memory.
@Suite struct DraftUploadTests {
    private final class Service: Sendable {
        struct State: Sendable {
            var bytes: [UInt8] = []
            var isComplete = false
            /// The number of bytes of an append after which the connection breaks off, for the next ones in order.
            var cuts: [Int?] = []
            var limits: String? = "max-size=5000, max-append-size=400"
            /// Whether a response to an append has no `Upload-Complete`.
            var isSilent = false
        }

        let state: Mutex<State>

        init(_ edit: (inout State) -> Void = { _ in }) {
            var first = State()
            edit(&first)
            state = Mutex(first)
        }

        var transport: StubTransport {
            StubTransport(answering: { request in try self.state.withLock { try Service.respond(to: request, &$0) } })
        }

        func files(_ transport: StubTransport) -> Resource {
            let site = Resource("https://draft.test", transport: transport)
            site.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero)) }
            return site["files"]
        }

        static func respond(to request: StubRequest, _ state: inout State) throws -> StubResponse {
            var headers: Headers = ["Upload-Complete": state.isComplete ? "?1" : "?0"]
            switch request.method {
            case .options: return .response(.noContent, headers: state.limits.map { ["Upload-Limit": $0] } ?? [:])
            case .post:
                headers["Location"] = "/uploads/1"
                return .response(.created, headers: headers)
            case .patch:
                guard request.field("Upload-Offset") == "\(state.bytes.count)" else { return .response(.conflict) }
                let cut = state.cuts.isEmpty ? nil : state.cuts.removeFirst()
                state.bytes += request.body.prefix(cut ?? .max)
                if (cut ?? .max) >= request.body.count {
                    state.isComplete = request.field("Upload-Complete") == "?1"
                }
                if cut != nil { throw TransportFailure(.connectionClosed, "lost") }
                if state.isSilent { return .response(.ok) }
                return .response(.ok, headers: ["Upload-Complete": state.isComplete ? "?1" : "?0"])
            default:
                headers["Upload-Offset"] = "\(state.bytes.count)"
                return .response(.noContent, headers: headers)
            }
        }
    }

    @Test(arguments: [0, 1, 300, 1_000])
    func fileIsSentInPieces(count: Int) async throws {
        let (bench, service) = (try UploadBench(count), Service())
        let transport = service.transport
        let upload = try await service.files(transport).upload(bench.file, by: .ietfDraft, options: bench.options())
        #expect(service.state.withLock { $0.bytes == bench.bytes && $0.isComplete })
        #expect(upload.url.path == "/uploads/1")
        #expect(transport.requests[1].field("Upload-Length") == "\(count)")
        #expect(transport.requests.allSatisfy { $0.field("Upload-Draft-Interop-Version") == "9" })
        let states = transport.requests.dropFirst(2).map { $0.field("Upload-Complete") }
        #expect(states.last == "?1" && states.dropLast().allSatisfy { $0 == "?0" })
    }

    @Test func piecesAreNotLargerThanTheServersLimit() async throws {
        let (bench, service) = (try UploadBench(), Service())
        let transport = service.transport
        let options = bench.options(chunkSize: 1_000)
        try await service.files(transport).upload(bench.file, by: .ietfDraft, options: options)
        #expect(transport.requests.dropFirst(2).map(\.body.count) == [400, 400, 200])
    }

    @Test(arguments: [[nil, 100], [0, 300], [nil, nil, nil, 100]] as [[Int?]])
    func interruptedUploadContinues(cuts: [Int?]) async throws {
        let (bench, service) = (try UploadBench(), Service { $0.cuts = cuts })
        let transport = service.transport
        try await service.files(transport).upload(bench.file, by: .ietfDraft, options: bench.options())
        #expect(service.state.withLock { $0.bytes == bench.bytes && $0.isComplete })
    }

    @Test func responseWithoutStateIsFollowedByAQuestion() async throws {
        let (bench, service) = (try UploadBench(), Service { $0.isSilent = true })
        let transport = service.transport
        try await service.files(transport).upload(bench.file, by: .ietfDraft, options: bench.options())
        #expect(service.state.withLock { $0.bytes == bench.bytes && $0.isComplete })
        #expect(transport.requests.count { $0.method == .head } == 4)
    }

    @Test func lostLastResponseOfAStreamIsNotFollowedByAPiece() async throws {
        let service = Service { $0.cuts = [nil, 100] }
        let transport = service.transport
        let bytes = [UInt8](repeating: 7, count: 350)
        let stream = AsyncStream<[UInt8]> { feed in
            feed.yield(bytes)
            feed.finish()
        }
        // The server reports that the upload is complete, but not its length.
        let options = UploadOptions(chunkSize: 300)
        let upload = try await service.files(transport).upload(stream, by: .ietfDraft, options: options)
        #expect(upload.byteCount == 350)
        #expect(service.state.withLock { $0.bytes == bytes && $0.isComplete })
        #expect(transport.requests.count { $0.method == .patch } == 2)
    }

    @Test func uploadThatTheServerEndsTooEarlyIsAnError() async throws {
        let (bench, service) = (try UploadBench(), Service { $0.cuts = [nil, 100] })
        let transport = StubTransport(answering: { request in
            try service.state.withLock { state in
                if request.method == .head { state.isComplete = true }
                return try Service.respond(to: request, &state)
            }
        })
        let error = try await failure(of: {
            try await service.files(transport).upload(bench.file, by: .ietfDraft, options: bench.options())
        })
        #expect(error.code == .remoteChanged)
        #expect(error.message == "the server ended the upload after 400 bytes")
    }

    @Test func serverThatDoesNotAnnounceItGetsNothing() async throws {
        let (bench, service) = (try UploadBench(), Service { $0.limits = nil })
        let transport = service.transport
        let error = try await failure(of: {
            try await service.files(transport).upload(bench.file, by: .ietfDraft, options: bench.options())
        })
        #expect(error.code == .unsupported)
        #expect(transport.requests.map(\.method) == [.options])
    }

    @Test func fileThatIsTooLargeIsRefused() async throws {
        let (bench, service) = (try UploadBench(5_001), Service())
        let transport = service.transport
        let error = try await failure(of: {
            try await service.files(transport).upload(bench.file, by: .ietfDraft, options: bench.options())
        })
        #expect(error.code == .refused)
    }
}
