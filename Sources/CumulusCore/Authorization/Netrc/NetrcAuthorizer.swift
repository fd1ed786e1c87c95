// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// Basic authentication with the netrc file's entry for the request's host, if there is one.
struct NetrcAuthorizer: Authorizer {
    let file: NetrcFile

    var mayWait: Bool { false }
    var answersChallenges: Bool { false }

    func authorize(_ request: inout EncodedRequest) async throws {
        guard request.headers[.authorization] == nil, let found = file.credentials(for: request.origin) else { return }
        try await BasicAuthorizer(user: found.user, password: found.password).authorize(&request)
    }
}
