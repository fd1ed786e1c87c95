// SPDX-License-Identifier: Apache-2.0

public import CumulusCore
import HTTPTypes

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

extension TransportRequest {
    /// Creates an exchange's request from a URL request: its method, URL, fields and body of bytes.
    ///
    /// Its timeout becomes the idle deadline. `Host` and the fields that frame the body are omitted.
    ///
    /// - Throws: `TransportFailure` of the kind `invalidRequest` for a URL that is not http or https, and of the
    ///   kind `unsupported` for a body that is an input stream.
    public init(_ request: URLRequest) throws {
        guard let head = HTTPRequest(request), let url = request.url, let host = url.host,
            let scheme = Origin.Scheme(rawValue: head.scheme?.lowercased() ?? "")
        else { throw TransportFailure(.invalidRequest, "the URL is not absolute, or not http or https") }
        guard request.httpBodyStream == nil else {
            throw TransportFailure(.unsupported, "an input stream can't be sent; use a stream body")
        }
        var headers = head.headerFields
        for name in [HTTPField.Name.contentLength, .transferEncoding] { headers[name] = nil }
        if let name = HTTPField.Name("Host") { headers[name] = nil }
        self.init(
            method: head.method,
            origin: Origin(scheme: scheme, host: host, port: url.port),
            target: head.path ?? "/",
            headers: headers,
            body: request.httpBody.map { .bytes(ByteChunk($0)) } ?? .none,
            deadlines: TransportDeadlines(idle: .seconds(request.timeoutInterval))
        )
    }
}
