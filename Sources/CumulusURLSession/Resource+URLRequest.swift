// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import HTTPTypes

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension Resource {
    /// Creates a call from a URL request made elsewhere, with this resource's settings as its defaults.
    ///
    /// The request's own URL is its target. At an origin other than this resource's, only harmless settings apply. The
    /// request's timeout becomes `Resource.Settings.timeout`.
    ///
    /// - Parameter request: A request with an absolute http or https URL, whose body is bytes or missing.
    /// - Returns: The call; nothing is sent yet. Sending it throws `CumulusError`, with the code `invalidURL` for a URL
    ///   that can't be used and `unsupported` for a body that is an input stream.
    public func call(_ request: URLRequest) -> Call<Response> {
        guard let head = HTTPRequest(request) else {
            let reason = "the URL request has no absolute URL, or a bad method"
            return .failing(CumulusError(.invalidURL, stage: .addressing, reason))
        }
        guard request.httpBodyStream == nil else {
            let reason = "an input stream can't be sent; use a stream body"
            return .failing(CumulusError(.unsupported, stage: .encoding, reason))
        }
        let body = request.httpBody.map { RequestBody.bytes(ByteChunk($0)) } ?? .none
        return call(head, .raw(body)).with { $0.timeout = .seconds(request.timeoutInterval) }
    }
}

extension URLRequest {
    /// Creates a URL request from an encoded request, such as that of an error or a response.
    ///
    /// - Parameter request: A request whose body is bytes or empty; for files and streams, the result is `nil`.
    public init?(_ request: EncodedRequest) {
        let body: Data?
        switch request.body {
        case .none: body = nil
        case .bytes(let chunk): body = chunk.data
        case .file, .stream: return nil
        }
        let head = HTTPRequest(
            method: request.method,
            scheme: request.origin.scheme.rawValue,
            authority: request.origin.authority,
            path: request.target,
            headerFields: request.headers
        )
        self.init(head, body: body)
    }
}
