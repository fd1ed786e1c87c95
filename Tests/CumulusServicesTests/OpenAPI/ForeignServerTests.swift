// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusServices

/// Servers named by a description from elsewhere get no credentials until the user names them.
@Suite struct ForeignServerTests {
    private func service(required: Bool) -> ServiceDescription {
        var service = ServiceDescription("elsewhere", endpoints: [EndpointDescription("a", template: "a")])
        service.servers = [ServiceServer("https://api.example.org", name: "main")]
        service.servers[0].isThirdParty = true
        service.authorization = AuthorizationNeed([.basic], required: required)
        return service
    }

    private func sent(_ service: Service) async throws -> String? {
        var service = service
        service.authorize(user: "ada", password: "pw")
        return try await service.call("a").send().text
    }

    private var echo: StubTransport {
        StubTransport { request in .text(request.headers[.authorization] ?? "nothing") }
    }

    @Test func unnamedTheyGetNothing() async throws {
        #expect(try await sent(Service(service(required: false), transport: echo)) == "nothing")
    }

    @Test func unnamedTheyAreNotCalledWhereAProofIsNeeded() async throws {
        let service = Service(service(required: true), transport: echo)
        let error = await #expect(throws: CumulusError.self) { try await sent(service) }
        #expect(error?.cause as? EndpointProblem == .thirdPartyServer("main (https://api.example.org)"))
    }

    @Test func namedTheyGetThem() async throws {
        #expect(try await sent(Service(service(required: true), server: "main", transport: echo)) != "nothing")
        #expect(try await sent(Service(service(required: true), transport: echo).at(server: "main")) != "nothing")
    }

    @Test func settingsForAFewCallsChangeNothingOfThat() async throws {
        let service = Service(service(required: false), transport: echo).with { $0.timeout = .seconds(1) }
        #expect(try await sent(service) == "nothing")
    }
}
