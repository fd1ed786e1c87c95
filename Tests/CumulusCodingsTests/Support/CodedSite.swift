// SPDX-License-Identifier: Apache-2.0

import CumulusCodings
import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

/// A resource that requests these codings and gets this body in pieces.
func codedSite(_ pieces: [[UInt8]], _ name: String, codings: [ContentCoding] = [.zstd, .brotli]) -> Resource {
    let transport = StubTransport { _ in
        .script(pieces.map { .chunk($0) }, headers: [.contentEncoding: name])
    }
    let site = Resource("http://a.example", transport: transport) { $0.contentCodings = codings }
    return site
}

/// Thrown if a call succeeds that must fail.
private struct NoFailure: Error {}

/// The expected error of a call.
func codingFailure<Result>(_ call: () async throws -> Result) async throws -> CumulusError {
    do {
        _ = try await call()
    } catch let error as CumulusError {
        return error
    }
    throw NoFailure()
}

/// Why a suite doesn't run without the libraries.
enum Libraries {
    static let areThere = ContentCoding.brotli.isAvailable && ContentCoding.zstd.isAvailable
    static let reason = "needs libbrotli1 and libzstd1, which Scripts/check.sh installs"
}
