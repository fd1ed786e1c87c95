// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Creates the head of a transport's request, without the body.
    init(head request: TransportRequest) throws(TransportFailure) {
        // A target that Foundation would have to correct, or would read differently, is refused.
        let isSafe = request.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
        guard request.target.begins(with: "/"), isSafe,
            let url = URL(string: "\(request.origin)\(request.target)", encodingInvalidCharacters: false)
        else { throw TransportFailure(.invalidRequest, "the target is not a path and query") }
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: URLSessionTransport.never)
        httpMethod = request.method.rawValue
        httpShouldHandleCookies = false
        for name in [HTTPField.Name.contentLength, .transferEncoding] where request.headers[name] != nil {
            throw TransportFailure(.invalidRequest, "\(name) is set by the transport")
        }
        try Self.checkHost(request.headers)
        setFields(request.headers)
        // No origin learns our credentials for a proxy.
        setValue(nil, forHTTPHeaderField: "Proxy-Authorization")
        if request.needsConnectionOfItsOwn { setValue("close", forHTTPHeaderField: "Connection") }
    }

    /// Checks that a `Host` field can be sent, if the session allows one.
    private static func checkHost(_ fields: HTTPFields) throws(TransportFailure) {
        do throws(HostField.Problem) {
            guard try HostField.value(in: fields) != nil else { return }
        } catch {
            throw TransportFailure(.invalidRequest, "there are several Host fields, or an invalid one")
        }
        #if canImport(Darwin)
        throw TransportFailure(.unsupported, "URLSession does not allow a request to set the Host field")
        #endif
    }

    /// Sets header fields; several of one name become one, since they are stored in a dictionary.
    mutating func setFields(_ fields: HTTPFields) {
        var names: [HTTPField.Name] = []
        for field in fields where !names.contains(field.name) { names.append(field.name) }
        for name in names {
            let separator = name == .cookie ? "; " : ", "
            setValue(fields[values: name].joined(separator: separator), forHTTPHeaderField: name.rawName)
        }
    }
}

extension TransportRequest {
    /// Whether no connection may be shared with earlier requests.
    ///
    /// On Linux libcurl itself repeats a request when a kept connection turns out to be dead, without knowing whether
    /// the server has seen it, and loses the body. On a new connection it never repeats.
    var needsConnectionOfItsOwn: Bool {
        #if canImport(Darwin)
        return false
        #else
        if case .none = body { return ![.get, .head, .options, .trace].contains(method) }
        return true
        #endif
    }
}
