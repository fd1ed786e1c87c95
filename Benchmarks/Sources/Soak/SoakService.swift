// SPDX-License-Identifier: Apache-2.0

import CumulusTestServer

/// A service that answers, dawdles, breaks off and closes, as the path says.
enum SoakService {
    static let largeBody = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)

    static func install(in routes: inout Routes) {
        routes.get("/small/:n") { request in .text(request.parameters["n"] ?? "") }
        routes.get("/large/:n") { _ in .script([.chunk(largeBody)]) }
        routes.get("/chunked/:n") { request in
            .stream { writer in for _ in 0..<5 { try await writer.write(request.parameters["n"] ?? "") } }
        }
        routes.get("/closing/:n") { request in
            var answer = ServerResponse.text(request.parameters["n"] ?? "")
            answer.closesConnection = true
            return answer
        }
        routes.get("/reset/:n") { _ in throw ServerResponse.Abort.reset }
        routes.get("/cut/:n") { _ in .script([.chunk(largeBody), .reset]) }
        routes.get("/slow/:n") { request in
            var answer = ServerResponse.text(request.parameters["n"] ?? "")
            answer.delay = .milliseconds(20)
            return answer
        }
        routes.post("/echo/:n") { request in ServerResponse(body: request.body) }
    }
}
