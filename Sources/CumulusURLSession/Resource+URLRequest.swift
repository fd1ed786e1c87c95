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
    /// Sends a URL request made elsewhere, with this resource's settings beneath it.
    ///
    /// The request's own URL is its target; at another origin than this resource's, only harmless settings are sent
    /// along. The request's time-out is the idle time limit.
    ///
    /// - Parameter request: A request with an absolute http or https URL and a body of bytes, or none.
    /// - Returns: The response, regardless of its status.
    /// - Throws: `CumulusError`, with the code `invalidURL` for a URL that can't be used and `unsupported` for a body
    ///   that is an input stream; `CancellationError` when the task is cancelled.
    public func send(_ request: URLRequest) async throws -> Response {
        guard let head = HTTPRequest(request) else {
            throw CumulusError(.invalidURL, stage: .addressing, "the URL request has no absolute URL, or a bad method")
        }
        guard request.httpBodyStream == nil else {
            throw CumulusError(.unsupported, stage: .encoding, "an input stream can't be sent; use a stream body")
        }
        let body = request.httpBody.map { RequestBody.bytes(ByteChunk($0)) } ?? .none
        return try await with { $0.timeout = .seconds(request.timeoutInterval) }.send(head, body: body)
    }
}

extension URLRequest {
    /// Makes a URL request from an encoded one, such as that of an error or a response.
    ///
    /// - Parameter request: A request whose body is bytes, or none; files and streams return `nil`.
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
