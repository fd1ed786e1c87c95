// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
public import CumulusCore
import CumulusFormats
import CumulusPrimitives
import HTTPTypes
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A store with a small part of S3's API, which checks every signature.
///
/// Each store is one bucket on a loopback server.
///
///     let bucket = LoopbackObjectStore(key: "ada", secret: "lovelace")
///     let server = try await LoopbackServer.start { bucket.install(in: &$0, at: "photos") }
///
/// It stores, returns, lists (`list-type=2`) and deletes objects, accepts multipart uploads, and supports presigned
/// URLs. It checks each chunk of a body that is sent in signed chunks. When it refuses a request, it responds with an
/// error in XML, as S3 does.
public final class LoopbackObjectStore: Sendable {
    private struct State {
        var objects: [String: [UInt8]] = [:]
        var uploads: [String: [Int: [UInt8]]] = [:]
        var nextUpload = 1
    }

    private let verifier: AWSVerifier
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// Creates an empty store with one key.
    ///
    /// - Parameters:
    ///   - key: The key's ID.
    ///   - secret: The key's secret.
    ///   - now: The store's current time.
    public init(key: String, secret: Secret<String>, now: @escaping @Sendable () -> Date = { Date() }) {
        verifier = AWSVerifier(AWSCredentials(accessKeyID: key, secretAccessKey: secret))
        self.now = now
    }

    /// The names of the objects, sorted.
    public var names: [String] { state.withLock { $0.objects.keys.sorted() } }

    /// Adds routes for everything below a bucket's name.
    public func install(in routes: inout Routes, at bucket: String) {
        for pattern in ["/\(bucket)", "/\(bucket)/*"] {
            routes.on(nil, pattern) { [self] request in
                do {
                    return try answer(request)
                } catch let error as AWSError {
                    return refusal(error)
                }
            }
        }
    }

    private func answer(_ request: ServerRequest) throws -> ServerResponse {
        let payload = try verifier.payload(
            method: request.method.rawValue,
            target: request.target,
            fields: request.headers.map { ($0.name.canonicalName, $0.value) },
            body: request.body,
            at: now()
        )
        let name = request.parameters["*"] ?? ""
        let upload = request.queryValue("uploadId")
        return try state.withLock { state in
            switch request.method {
            case .get where name.isEmpty: return list(state, request.queryValue("prefix") ?? "")
            case .get, .head:
                guard let object = state.objects[name] else { throw AWSError(code: "NoSuchKey") }
                return ServerResponse(headers: [.eTag: Self.tag(object)], body: object)
            case .put where name.isEmpty: return ServerResponse()
            case .put:
                return ServerResponse(
                    headers: [.eTag: try put(payload, name, upload, request.queryValue("partNumber"), &state)]
                )
            case .post: return try post(name, upload, &state)
            case .delete:
                if let upload { state.uploads[upload] = nil } else { state.objects[name] = nil }
                return ServerResponse(.noContent)
            default: throw AWSError(code: "MethodNotAllowed")
            }
        }
    }

    /// Stores an object or a part of one.
    private func put(
        _ payload: [UInt8],
        _ name: String,
        _ upload: String?,
        _ part: String?,
        _ state: inout State
    ) throws -> String {
        guard let upload else {
            state.objects[name] = payload
            return Self.tag(payload)
        }
        guard state.uploads[upload] != nil, let number = part.flatMap({ Int($0) }), 1...10_000 ~= number else {
            throw AWSError(code: "NoSuchUpload")
        }
        state.uploads[upload]?[number] = payload
        return Self.tag(payload)
    }

    /// Begins or completes a multipart upload.
    private func post(_ name: String, _ upload: String?, _ state: inout State) throws -> ServerResponse {
        guard let upload else {
            let id = "upload-\(state.nextUpload)"
            state.nextUpload += 1
            state.uploads[id] = [:]
            return try xml(XML("InitiateMultipartUploadResult", children: [.element(XML("UploadId", text: id))]))
        }
        guard let parts = state.uploads.removeValue(forKey: upload) else { throw AWSError(code: "NoSuchUpload") }
        state.objects[name] = parts.sorted { $0.key < $1.key }.flatMap(\.value)
        return try xml(XML("CompleteMultipartUploadResult", children: [.element(XML("Key", text: name))]))
    }

    private func list(_ state: State, _ prefix: String) -> ServerResponse {
        let contents = state.objects.keys.filter { $0.begins(with: prefix) }.sorted().map { name in
            XML.Node.element(XML("Contents", children: [.element(XML("Key", text: name))]))
        }
        return (try? xml(XML("ListBucketResult", children: contents))) ?? ServerResponse(.internalServerError)
    }

    private func xml(_ xml: XML, _ status: HTTPResponse.Status = .ok) throws -> ServerResponse {
        ServerResponse(status, headers: [.contentType: "application/xml"], body: try xml.encoded())
    }

    private func refusal(_ error: AWSError) -> ServerResponse {
        let status: HTTPResponse.Status =
            switch error.code {
            case "NoSuchKey", "NoSuchUpload": .notFound
            case "MethodNotAllowed": .methodNotAllowed
            case "XAmzContentSHA256Mismatch", "IncompleteBody": .badRequest
            default: .forbidden
            }
        let message = XML.Node.element(XML("Message", text: error.message ?? error.code))
        let document = XML("Error", children: [.element(XML("Code", text: error.code)), message])
        var answer = (try? xml(document, status)) ?? ServerResponse(status)
        answer.headers[.date] = HTTPDate(now()).description
        return answer
    }

    private static func tag(_ object: [UInt8]) -> String {
        let hash = object.reduce(UInt64(14_695_981_039_346_656_037)) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return "\"\(String(hash, radix: 16))\""
    }
}
