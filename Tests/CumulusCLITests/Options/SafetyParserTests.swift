// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Testing

@testable import CumulusCLI

struct SafetyParserTests {
    private func plan(_ arguments: [String]) throws -> Plan {
        guard
            case .request(let plan) = try Invocation.parse(arguments + ["http://x.example"], in: .of(environment: [:]))
        else { throw UsageMistake("no request") }
        return plan
    }

    @Test func theGuardAndItsExceptions() throws {
        #expect(try plan([]).allowedAddresses == .any)
        #expect(try plan(["--public-only"]).allowedAddresses == .publicOnly)
        let both = ["--public-only", "--allow-address", "10.0.0.0/8,api.internal", "--allow-address", "::1"]
        #expect(try plan(both).allowedAddresses == .publicOnly(allowing: "10.0.0.0/8,api.internal", "::1"))
    }

    @Test(arguments: [
        (["--allow-address", "::1"], "--public-only"), (["--public-only", "--allow-address", "*"], "--allow-address"),
        (["--public-only", "--allow-address", "10.*"], "10.*"),
        (["--public-only", "--unix-socket", "/tmp/x"], "--unix-socket"),
    ])
    func whatCannotBeMeantIsNamed(_ arguments: [String], _ named: String) {
        let mistake = #expect(throws: UsageMistake.self) { try plan(arguments) }
        #expect(mistake.map { "\($0)".contains(named) } == true, "\(mistake as Any)")
    }
}
