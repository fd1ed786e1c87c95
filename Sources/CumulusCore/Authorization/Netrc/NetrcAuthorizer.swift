// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Basic authentication by what a netrc file has for the request's host, if anything.
struct NetrcAuthorizer: Authorizer {
    let file: NetrcFile

    var mayWait: Bool { false }
    var answersChallenges: Bool { false }

    func authorize(_ request: inout EncodedRequest) async throws {
        guard request.headers[.authorization] == nil, let found = file.credentials(for: request.origin) else { return }
        try await BasicAuthorizer(user: found.user, password: found.password).authorize(&request)
    }
}
