// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusFormats
import CumulusPrimitives
import CumulusTesting
import Foundation
import HTTPTypes
import Synchronization

/// A store of objects in memory, with multipart uploads.
final class ObjectStore: Sendable {
    struct State: Sendable {
        var objects: [String: [UInt8]] = [:]
        var tags: [String: String] = [:]
        /// The parts of each unfinished upload.
        var uploads: [String: [Int: [UInt8]]] = [:]
        var created = 0
        /// The number of parts in one page of a list.
        var page = 1_000
        var reportsChecksums = true
        /// Called before a request is processed; its response replaces the store's.
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
        transport = StubTransport(answering: { request in
            try shared.value.withLock { state in
                if let intercept = state.intercept, let answer = try intercept(request, &state) { return answer }
                return ObjectStore.respond(to: request, &state)
            }
        })
    }

    /// The resource of the object `film.mov`.
    func object(_ edit: (inout Resource.Settings) -> Void = { _ in }) -> Resource {
        let site = Resource("https://store.test", transport: transport)
        site.setRules { $0.retry = RetryPolicy(backoff: RetryBackoff(base: .zero)) }
        return site["bucket"]["film.mov"].with(edit)
    }

    var bytes: [UInt8]? { shared.value.withLock { $0.objects["/bucket/film.mov"] } }
    var unfinished: [String: [Int: [UInt8]]] { shared.value.withLock(\.uploads) }

    /// The number of parts that were sent, whatever the responses.
    var partRequests: Int { transport.requests.count { $0.method == .put && $0.queryValue("partNumber") != nil } }

    func change(_ edit: (inout State) -> Void) { shared.value.withLock { edit(&$0) } }

    static func tag(_ bytes: [UInt8]) -> String {
        "\"\(MessageDigest.hexadecimal(MessageDigest.bytes(of: bytes, by: .md5)))\""
    }

    /// The ETag of an object of several parts.
    static func tag(of parts: [Int: [UInt8]]) -> String {
        let digests = parts.sorted { $0.key < $1.key }.flatMap { MessageDigest.bytes(of: $0.value, by: .md5) }
        return "\"\(MessageDigest.hexadecimal(MessageDigest.bytes(of: digests, by: .md5)))-\(parts.count)\""
    }

    private static func sha256(_ bytes: [UInt8]) -> String {
        Data(MessageDigest.sha256(of: bytes)).base64EncodedString()
    }

    private static func respond(to request: StubRequest, _ state: inout State) -> StubResponse {
        if request.method == .put, let given = request.field("X-Amz-Checksum-Sha256"), given != sha256(request.body) {
            return .response(.badRequest, body: Array("<Error><Code>BadDigest</Code></Error>".utf8))
        }
        guard let id = request.queryValue("uploadId") else { return object(request, &state) }
        guard var parts = state.uploads[id] else {
            return .response(.notFound, body: Array("<Error><Code>NoSuchUpload</Code></Error>".utf8))
        }
        switch request.method {
        case .put:
            guard let number = request.queryValue("partNumber").flatMap({ Int($0) }) else {
                return .response(.badRequest)
            }
            parts[number] = request.body
            state.uploads[id] = parts
            return .response(headers: ["ETag": tag(request.body)])
        case .delete:
            state.uploads[id] = nil
            return .response(.noContent)
        case .get: return list(parts, request, state)
        default: return complete(id, parts, request, &state)
        }
    }

    private static func object(_ request: StubRequest, _ state: inout State) -> StubResponse {
        switch request.method {
        case .post:
            state.created += 1
            state.uploads["id/\(state.created)+="] = [:]
            let id = XML("UploadId", text: "id/\(state.created)+=")
            let document = XML("InitiateMultipartUploadResult", children: [.element(id)])
            return .response(body: (try? document.encoded()) ?? [])
        case .put:
            state.objects[request.path] = request.body
            return .response(headers: ["ETag": tag(request.body)])
        default:
            guard let bytes = state.objects[request.path] else { return .response(.notFound) }
            return .response(headers: ["Content-Length": "\(bytes.count)", "ETag": state.tags[request.path] ?? ""])
        }
    }

    private static func list(_ parts: [Int: [UInt8]], _ request: StubRequest, _ state: State) -> StubResponse {
        let marker = request.queryValue("part-number-marker").flatMap { Int($0) } ?? 0
        let after = parts.keys.filter { $0 > marker }.sorted()
        let shown = after.prefix(state.page)
        var text = "<ListPartsResult><IsTruncated>\(shown.count < after.count)</IsTruncated>"
        if let last = shown.last { text += "<NextPartNumberMarker>\(last)</NextPartNumberMarker>" }
        for number in shown {
            let bytes = parts[number] ?? []
            let checksum = state.reportsChecksums ? "<ChecksumSHA256>\(sha256(bytes))</ChecksumSHA256>" : ""
            text += "<Part><PartNumber>\(number)</PartNumber><ETag>\(tag(bytes))</ETag>\(checksum)"
            text += "<Size>\(bytes.count)</Size></Part>"
        }
        return .response(body: Array("\(text)</ListPartsResult>".utf8))
    }

    private static func complete(
        _ id: String,
        _ parts: [Int: [UInt8]],
        _ request: StubRequest,
        _ state: inout State
    ) -> StubResponse {
        let ordered = parts.sorted { $0.key < $1.key }
        let named = (try? XML(parsing: request.body))?.elements("Part") ?? []
        let isWhole = named.elementsEqual(ordered) { element, part in
            element["PartNumber"]?.text == "\(part.key)" && element["ETag"]?.text == tag(part.value)
        }
        guard isWhole else {
            return .response(.badRequest, body: Array("<Error><Code>InvalidPart</Code></Error>".utf8))
        }
        state.objects[request.path] = ordered.flatMap(\.value)
        state.tags[request.path] = tag(of: parts)
        state.uploads[id] = nil
        return .response(body: Array("<CompleteMultipartUploadResult/>".utf8))
    }
}
