// SPDX-License-Identifier: Apache-2.0

import Cumulus

extension CumulusGuide {
    static func generalPurpose(_ url: String, _ productInformation: some Encodable & Sendable) async throws
        -> [Response]
    {
        // Original: "As a General Purpose HTTP Client"; 4 lines
        let list = try await REST["\(url)/products.php?action=list"].get()
        // do something with the response
        let response = try await REST["\(url)/products.php?action=create"].post(body: productInformation)
        // End
        return [list, response]
    }

    static func rawRequest(_ authority: String) async throws -> Response {
        // Original: "Using Raw Requests"; 14 lines
        var request = HTTPRequest(method: .get, scheme: "http", authority: authority, path: "/index")
        request.headerFields[.accept] = "text/plain"
        let localResponse = try await REST["http://\(authority)"].call(request).send()
        // End
        return localResponse
    }
}
