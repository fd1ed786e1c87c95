// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusURLSession
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func converting(urlRequest: URLRequest, on site: Resource) async throws {
    // snippet.convert
    if let request = HTTPRequest(urlRequest) {  // without its body
        let response = try await site.call(request, .bytes(urlRequest.httpBody ?? Data())).send()
        print(response.status)
    }

    let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example.com", path: "/posts")
    let back = URLRequest(request)
    // snippet.end
    _ = back
}

func ownSession(_ session: URLSession) -> Resource {
    // snippet.own-session
    let transport = URLSessionTransport(session: session)
    let site = Resource("https://api.example.com", transport: transport)
    // snippet.end
    return site
}

func networks(site: Resource, transport: URLSessionTransport) {
    // snippet.networks
    site.setRules { $0.transport = transport.with { $0.allowsExpensiveNetworkAccess = false } }
    // snippet.end
}

func secured(authority: [UInt8], pin: String, p12: [UInt8], password: String) throws -> Resource {
    // snippet.tls
    var tls = URLSessionTransport.TLS()
    tls.trustRoots = .systemAnd(pem: authority)
    tls.pins["api.example.com"] = [try PublicKeyPin(pin)]  // "sha256/...", in base64
    let partner = Origin(scheme: .https, host: "partner.example.com")
    tls.identities[partner] = .init(pkcs12: p12, password: password)
    let site = Resource("https://api.example.com", transport: URLSessionTransport(tls: tls))
    // snippet.end
    return site
}

func session() async throws {
    // snippet.session
    let site = Resource("https://api.example.com", transport: URLSessionTransport())
    let response = try await site["posts"].get()
    // snippet.end
    _ = response
}
