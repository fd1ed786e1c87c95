// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusTesting
import CumulusUploads
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

/// A tus server in memory, with all extensions that the client uses, whose responses a test can replace.
final class TusService: Sendable {
    struct Upload: Sendable {
        var length: Int?
        var bytes: [UInt8] = []
        var metadata: String?
    }

    struct State: Sendable {
        var uploads: [String: Upload] = [:]
        var extensions = "creation,creation-defer-length,termination,expiration"
        var checksums: String?
        var maxSize: Int?
        /// The number of bytes of a PATCH after which the connection breaks off, for the next ones in order; `nil` for
        /// one that arrives.
        var cuts: [Int?] = []
        var patches = 0
        /// Called before a request is processed; its response replaces the server's.
        var intercept: (@Sendable (StubRequest, inout State) throws -> StubResponse?)?
    }

    let transport: StubTransport
    private let shared: SharedState

    private final class SharedState: Sendable {
        let value: Mutex<State>

        init(_ state: sending State) { value = Mutex(state) }
    }

    init(_ edit: (inout State) -> Void = { _ in }) {
        var state = State()
        edit(&state)
        let shared = SharedState(state)
        self.shared = shared
        transport = StubTransport(answering: { try TusService.respond(to: $0, shared) })
    }

    /// The resource that creates uploads.
    func files(_ edit: (inout Resource.Settings) -> Void = { _ in }) -> Resource {
        let site = Resource("https://tus.test", transport: transport)
        site.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero)) }
        return site["files"].with(edit)
    }

    var uploads: [String: Upload] { shared.value.withLock(\.uploads) }
    /// The bytes of the only upload.
    var bytes: [UInt8]? { uploads.count == 1 ? uploads.first?.value.bytes : nil }
    var methods: [String] { transport.requests.map(\.method.rawValue) }

    func change(_ edit: (inout State) -> Void) { shared.value.withLock { edit(&$0) } }

    /// Leaves an upload interrupted after 350 of its bytes.
    func interrupt(
        _ bench: UploadBench,
        by uploadProtocol: UploadProtocol = .tus,
        _ edit: (inout Resource.Settings) -> Void = { _ in }
    ) async throws {
        change { $0.cuts = [nil, 50] }
        let broken = files { settings in
            edit(&settings)
            settings.retry = .never
        }
        let error = try await failure {
            try await broken.upload(bench.file, by: uploadProtocol, options: bench.options())
        }
        #expect(error.code == .incomplete)
    }

    private static func respond(to request: StubRequest, _ shared: SharedState) throws -> StubResponse {
        try shared.value.withLock { state in
            if let intercept = state.intercept, let answer = try intercept(request, &state) { return answer }
            switch request.method {
            case .options: return options(state)
            case .post: return create(request, &state)
            default: return try existing(request, &state)
            }
        }
    }

    private static func options(_ state: State) -> StubResponse {
        var headers: Headers = ["Tus-Resumable": "1.0.0", "Tus-Version": "1.0.0", "Tus-Extension": state.extensions]
        if let checksums = state.checksums {
            headers["Tus-Extension"] = "\(state.extensions),checksum"
            headers["Tus-Checksum-Algorithm"] = checksums
        }
        if let most = state.maxSize { headers["Tus-Max-Size"] = "\(most)" }
        return .response(.noContent, headers: headers)
    }

    private static func create(_ request: StubRequest, _ state: inout State) -> StubResponse {
        let length = request.field("Upload-Length").flatMap { Int($0) }
        let name = "\(state.uploads.count + 1)"
        state.uploads[name] = Upload(
            length: length,
            bytes: request.body,
            metadata: request.field("Upload-Metadata")
        )
        var headers: Headers = [
            "Location": "/files/\(name)", "Tus-Resumable": "1.0.0",
            "Upload-Expires": "Sun, 06 Nov 2033 08:49:37 GMT",
        ]
        if !request.body.isEmpty { headers["Upload-Offset"] = "\(request.body.count)" }
        return .response(.created, headers: headers)
    }

    private static func existing(_ request: StubRequest, _ state: inout State) throws -> StubResponse {
        let name = String(request.path.split(separator: "/").last ?? "")
        guard var upload = state.uploads[name] else { return .response(.notFound) }
        switch request.method {
        case .delete:
            state.uploads[name] = nil
            return .response(.noContent)
        case .patch:
            state.patches += 1
            guard request.field("Upload-Offset") == "\(upload.bytes.count)" else {
                return .response(.conflict)
            }
            if let given = request.field("Upload-Checksum"), given != checksum(request.body, given) {
                return .response(HTTPResponse.Status(code: 460))
            }
            if let text = request.field("Upload-Length") { upload.length = Int(text) }
            let cut = state.cuts.isEmpty ? nil : state.cuts.removeFirst()
            upload.bytes += request.body.prefix(cut ?? .max)
            state.uploads[name] = upload
            if cut != nil { throw TransportFailure(.connectionClosed, "the connection broke off") }
            return .response(.noContent, headers: ["Upload-Offset": "\(upload.bytes.count)"])
        default:
            var headers: Headers = ["Upload-Offset": "\(upload.bytes.count)", "Cache-Control": "no-store"]
            if let length = upload.length { headers["Upload-Length"] = "\(length)" }
            return .response(.ok, headers: headers)
        }
    }

    private static func checksum(_ bytes: [UInt8], _ given: String) -> String {
        let name = given.prefix { $0 != " " }
        let algorithm: MessageDigest.Algorithm = name == "sha1" ? .sha1 : name == "md5" ? .md5 : .sha256
        return "\(name) \(Data(MessageDigest.bytes(of: bytes, by: algorithm)).base64EncodedString())"
    }
}

extension StubRequest {
    /// The value of a header field.
    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { headers[$0] } }
}
