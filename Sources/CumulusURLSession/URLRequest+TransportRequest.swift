// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// The head of a transport's request: all but the body.
    init(head request: TransportRequest) throws(TransportFailure) {
        // A target that Foundation would have to mend, or would read otherwise, is refused.
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
        // T-50: no origin is told who we are to a proxy.
        setValue(nil, forHTTPHeaderField: "Proxy-Authorization")
        if request.needsConnectionOfItsOwn { setValue("close", forHTTPHeaderField: "Connection") }
    }

    /// One `Host` may be sent if the session lets it through.
    private static func checkHost(_ fields: HTTPFields) throws(TransportFailure) {
        do throws(HostField.Problem) {
            guard try HostField.value(in: fields) != nil else { return }
        } catch {
            throw TransportFailure(.invalidRequest, "there are several Host fields, or an invalid one")
        }
        #if canImport(Darwin)
        throw TransportFailure(.unsupported, "URLSession keeps the Host field to itself")
        #endif
    }

    /// Sets header fields; several of one name become one, as a dictionary has it.
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
    /// On Linux libcurl repeats a request by itself when a kept connection turns out to be dead, without knowing
    /// whether the server has seen it, and a body is lost on the way. A fresh connection is never repeated on.
    var needsConnectionOfItsOwn: Bool {
        #if canImport(Darwin)
        return false
        #else
        if case .none = body { return ![.get, .head, .options, .trace].contains(method) }
        return true
        #endif
    }
}
