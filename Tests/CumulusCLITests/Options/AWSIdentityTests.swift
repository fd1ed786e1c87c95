// SPDX-License-Identifier: Apache-2.0

import CumulusAWS
import CumulusCore
import CumulusTesting
import HTTPTypes
import Testing

@testable import CumulusCLI

/// `-A aws4`: keys from the command line and elsewhere, region and service.
@Suite struct AWSIdentityTests {
    private func surroundings(_ environment: [String: String] = [:]) -> Surroundings {
        .of(environment: environment)
    }

    private func proof(
        _ kind: String,
        _ auth: String?,
        _ environment: [String: String] = [:],
        at url: String = "http://127.0.0.1:9000/b"
    ) async throws -> String? {
        let transport = StubTransport { _ in .text("ok") }
        let site = Resource(url, transport: transport)
        let authorizer = try identity(kind, auth, in: surroundings(environment)).authorizer
        site.setRules { $0.authorizers = [authorizer] }
        try await site.get().requireSuccess()
        return transport.lastRequest?.headers[.authorization]
    }

    private func identity(_ kind: String, _ auth: String?, in surroundings: Surroundings) throws -> AWSIdentity {
        var arguments = Arguments()
        (arguments.authType, arguments.auth) = (kind, auth)
        return try AWSIdentity(arguments, in: surroundings)
    }

    @Test(arguments: [
        ("aws4", true), ("AWS4:eu:s3", true), ("aws4:", true), ("aws", false), ("aws45", false), ("basic", false),
    ])
    func kinds(kind: String, isAWS: Bool) { #expect(AWSIdentity.isNamed(kind) == isAWS) }

    @Test func keyRegionAndServiceOnTheCommandLine() async throws {
        let proof = try await proof("aws4:eu-central-1:s3", "AKID:se:cret")
        #expect(proof?.contains("Credential=AKID/") == true)
        #expect(proof?.contains("/eu-central-1/s3/aws4_request") == true)
    }

    @Test func theSecretMayStandInAVariable() async throws {
        let plain = try identity("aws4", "AKID:abc", in: surroundings())
        let elsewhere = try identity("aws4", "AKID:env:S", in: surroundings(["S": "abc"]))
        #expect(plain == elsewhere)
        #expect(plain.keyID == "AKID")
        #expect(throws: UsageMistake.self) {
            try identity("aws4", "AKID:env:NONE", in: surroundings())
        }
    }

    @Test func withoutAuthTheEnvironmentHasTheKeys() async throws {
        let environment = [
            "AWS_ACCESS_KEY_ID": "ENVKEY", "AWS_SECRET_ACCESS_KEY": "s", "AWS_DEFAULT_REGION": "eu-west-3",
        ]
        let found = try await proof("aws4::s3", nil, environment)
        #expect(found?.contains("Credential=ENVKEY/") == true)
        #expect(found?.contains("/eu-west-3/s3/") == true)
        let given = try await proof("aws4::s3", "AKID:x", environment)
        #expect(given?.contains("Credential=AKID/") == true && given?.contains("/eu-west-3/s3/") == true)
    }

    @Test func hostsTellRegionAndService() async throws {
        let found = try await proof("aws4", "AKID:x", at: "https://b.s3.eu-north-1.amazonaws.com/a")
        #expect(found?.contains("/eu-north-1/s3/") == true)
    }

    @Test(
        "mistakes quote no secret",
        arguments: [
            ("aws4", "geheim"), ("aws4:a:b:c", "AKID:geheim"), ("aws4:a b", "AKID:geheim"),
        ]
    )
    func mistakes(kind: String, auth: String) {
        #expect {
            _ = try identity(kind, auth, in: surroundings())
        } throws: { error in
            error is UsageMistake && !"\(error)".contains("geheim")
        }
    }

    @Test("on the command line, with the whole command")
    func throughTheCommand() throws {
        let words = ["-A", "aws4:eu-central-1:s3", "-a", "AKID:env:S", "http://127.0.0.1:9000/b"]
        let plan = try CumulusCLITests.plan(words, in: surroundings(["S": "geheim"]))
        #expect(
            plan.identity
                == .aws(
                    try identity(
                        "aws4:eu-central-1:s3",
                        "AKID:geheim",
                        in: surroundings(["S": "geheim"])
                    )
                )
        )
        let bare = try CumulusCLITests.plan(["-A", "aws4", "s3.eu-west-1.amazonaws.com"], in: surroundings())
        #expect(bare.identity == .aws(try identity("aws4", nil, in: surroundings())))
        #expect(throws: UsageMistake.self) { try CumulusCLITests.plan(["-A", "aws4", "-a", "x", "a.example"]) }
    }

    @Test func missingKeysAreToldBeforeAnythingIsSent() async throws {
        let error = try await #require(throws: CumulusError.self) {
            _ = try await proof("aws4:eu:s3", nil, ["HOME": "/nonexistent"])
        }
        #expect(error.code == .authorization)
        #expect("\(error)".contains("/nonexistent/.aws/credentials"))
    }
}
