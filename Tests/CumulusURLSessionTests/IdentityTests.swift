// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusURLSession
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The identity of a session: which requests may share its stored responses.
@Suite struct IdentityTests {
    private static let origin = Origin(scheme: .https, host: "a.example")

    @Test func aSessionOfTheLibrarysOwnIsKnown() throws {
        let identity = URLSessionTransport().identity(at: Self.origin)
        #expect(identity != .unknown && identity != .anonymous)
        #expect(URLSessionTransport().identity(at: Self.origin) == identity)
        // The system's proxy may carry http, and another one may be set in the next process.
        #expect(try URLSessionTransport().identity(at: RequestURL("http://a.example/").origin) == .unknown)
    }

    @Test func whatTheConfigurationAddsToRequestsIsNotKnown() {
        let headers = URLSessionConfiguration.ephemeral
        headers.httpAdditionalHeaders = ["X-User": "ann"]
        #expect(URLSessionTransport(configuration: headers).identity(at: Self.origin) == .unknown)
        let proxied = URLSessionConfiguration.ephemeral
        proxied.connectionProxyDictionary = ["HTTPEnable": 1, "HTTPProxy": "proxy.example"]
        #expect(URLSessionTransport(configuration: proxied).identity(at: Self.origin) == .unknown)
        let credentials = [Self.origin: Credentials(user: "ann", password: "p")]
        #expect(URLSessionTransport(connectionCredentials: credentials).identity(at: Self.origin) == .unknown)
    }

    @Test func theSystemsCredentialsAreNotKnown() {
        #expect(URLSessionTransport(offersSystemCredentials: true).identity(at: Self.origin) == .unknown)
    }
}
