// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusTesting
import HTTPTypes

/// The tour's places that want to know who asks: by Digest, and by a session that a form opens.
struct VaultService {
    private let space: DigestSpace = {
        var options = DigestSpace.Options()
        options.realm = "vault"
        options.algorithms = ["MD5", "SHA-512-256"]
        options.protections = ["auth", "auth-int"]
        return DigestSpace(user: "ada", password: "lovelace", options: options)
    }()

    func install(in routes: inout Routes) {
        let space = space
        routes.on(nil, "/vault") { request in
            space.respond(to: request) { ServerResponse(body: Array("gold".utf8)) }
        }
        routes.post("/session/login") { request in
            guard request.text == "user=ada&password=lovelace" else { return ServerResponse(.forbidden) }
            return ServerResponse(.noContent, headers: [.setCookie: "sid=s1; HttpOnly"], body: [])
        }
        routes.get("/session/me") { request in
            request.headers[.cookie] == "sid=s1"
                ? .text("Ada") : ServerResponse(.unauthorized, headers: [.wwwAuthenticate: "Form"], body: [])
        }
    }
}
