// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

extension TransportConformance.Case {
    /// Cases of what follows a request's body.
    var trailerBody: (@Sendable (ConformanceBench) async throws -> Void)? {
        switch self {
        case .requestTrailersArrive: { try await $0.requestTrailersArrive() }
        case .failedRequestTrailersEndTheExchange: { try await $0.failedRequestTrailersEndTheExchange() }
        default: nil
        }
    }
}

extension ConformanceBench {
    /// A body that is written in pieces and ends with trailers.
    private func body(
        _ pieces: [String],
        _ trailers: @escaping @Sendable () async throws -> HTTPFields
    ) -> RequestBody {
        let contents = { @Sendable (_: Int64, writer: BodyWriter) in
            for piece in pieces { try await writer.write(ByteChunk(piece)) }
        }
        return .stream(StreamBody(replay: .restartable, contents: contents, trailers: trailers))
    }

    fileprivate func requestTrailersArrive() async throws {
        try await withLoopbackServer(routes: { $0.post("/x") { _ in .text("") } }) { server in
            for pieces in [["some", "thing"], []] {
                let body = body(pieces) { [.eTag: "\"late\""] }
                let sent = request(server, method: .post, headers: [("Trailer", "ETag")], body: body)
                try expectEqual(try await exchange(sent).status, 200, "the status")
                guard let received = server.requests.last else {
                    throw ConformanceFailure(reason: "no request arrived")
                }
                try expectBytes(received.body, Array(pieces.joined().utf8), "the body")
                try expectEqual(received.trailers[.eTag], "\"late\"", "the trailer")
                try expectEqual(received.headers[.eTag], nil, "the header")
                try expectEqual(received.headers[.contentLength], nil, "Content-Length")
            }
        }
    }

    fileprivate func failedRequestTrailersEndTheExchange() async throws {
        struct Broken: Error {}
        let controlled = HTTPFields([HTTPField(name: .eTag, lenientValue: [0x31, 0x01])])
        let fields: [@Sendable () async throws -> HTTPFields] = [
            { throw Broken() }, { [.contentLength: "9"] }, { [.authorization: "Basic eDp5"] }, { controlled },
        ]
        try await withLoopbackServer(routes: { $0.post("/x") { _ in .text("") } }) { server in
            for trailers in fields {
                try await expectFailure([.requestBody]) {
                    _ = try await exchange(request(server, method: .post, body: body(["some"], trailers)))
                }
            }
            let announced = [("Trailer", "Content-Length")]
            try await expectFailure([.invalidRequest]) {
                let body = body(["some"]) { [:] }
                _ = try await exchange(request(server, method: .post, headers: announced, body: body))
            }
            try await waitForEnd(on: server)
            try expectEqual(server.counts.requestsReceived, 0, "the count of whole requests")
        }
    }
}
