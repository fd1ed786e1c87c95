// SPDX-License-Identifier: Apache-2.0

import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@testable import CumulusCore

/// The kinds of errors.
@Suite struct ErrorKindTests {
    @Test(
        "each code has a kind",
        arguments: [
            (CumulusError.Code.lookup, CumulusError.Kind.unreachable), (.connect, .unreachable), (.timeout, .timeout),
            (.tls, .security), (.redirectRefused, .security), (.connectionClosed, .connection),
            (.truncatedBody, .connection),
            (.status, .server), (.service, .server), (.decoding, .content), (.checksum, .content), (.disk, .file),
            (.validation, .hook), (.invalidURL, .request), (.refused, .request), (.shutdown, .shutdown),
            (.tooManyRedirects, .server), (.bodyTooLarge, .content), (.wouldDeadlock, .request),
        ]
    )
    func kinds(code: CumulusError.Code, kind: CumulusError.Kind) {
        #expect(CumulusError(code, stage: .transmission, "").kind == kind)
    }

    @Test(
        "a transport's failures have the kinds of the 42 predicates",
        arguments: [
            (TransportFailure.Kind.lookup, CumulusError.Kind.unreachable), (.connect, .unreachable), (.tls, .security),
            (.timeout(.idle), .timeout), (.connectionClosed, .connection), (.truncated, .connection),
            (.malformedResponse, .content), (.headerTooLarge, .content), (.requestBody, .request),
            (.unsupported, .request),
            (.shutdown, .shutdown), (.other, .connection),
        ]
    )
    func transports(failure: TransportFailure.Kind, kind: CumulusError.Kind) async throws {
        let transport = StubTransport { _ in .failure(TransportFailure(failure, "made")) }
        let site = Resource("http://a.example", transport: transport.watched)
        let error = try await TestSupport.failure { try await site.get() }
        #expect(error.kind == kind)
    }
}
