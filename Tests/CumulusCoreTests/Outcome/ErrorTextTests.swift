// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Errors have readable texts, the same in all ways of printing.
@Suite struct ErrorTextTests {
    private struct Quota: Error, Decodable { var secretToken: String }

    private struct Worded: Error, Decodable, CustomStringConvertible {
        var reason: String
        var description: String { "no: \(reason)" }
    }

    private func site(_ body: String, status: HTTPResponse.Status = .badRequest) -> Resource {
        Resource("http://a.example", transport: StubTransport { _ in .json(body, status: status) }.watched)
    }

    @Test func localizedDescriptionIsTheDescription() async throws {
        let error = try await failure { try await site("{}").get(as: Int.self) }
        #expect((error as any Error).localizedDescription == error.description)
        #expect(error.description == "status GET http://a.example/: the server responded with 400 Bad Request")
    }

    @Test func aServicesOwnCodeAndMessageAreInTheText() async throws {
        let site = site(#"{"error":{"code":"E42","message":"no such user"}}"#, status: .ok)
        site.setRules { $0.errorDecoders = [.jsonMember("error")] }
        let error = try await failure { try await site.get(as: Int.self) }
        #expect(error.message == #"the service reported "E42: no such user", with the status 200 OK"#)
    }

    @Test func anErrorTypeOfYoursGivesItsWords() async throws {
        let site = site(#"{"reason":"it rains"}"#)
        site.setRules { $0.errorDecoders = [.decoding(Worded.self)] }
        let error = try await failure { try await site.get(as: Int.self) }
        #expect(error.message == #"the service reported "no: it rains", with the status 400 Bad Request"#)
    }

    @Test func anErrorTypeWithoutWordsIsNotPrinted() async throws {
        let site = site(#"{"secretToken":"s3cret"}"#)
        site.setRules { $0.errorDecoders = [.decoding(Quota.self)] }
        let error = try await failure { try await site.get(as: Int.self) }
        #expect(error.message == "the service reported an error, with the status 400 Bad Request")
        let printed = Printed()
        printed.add("\(error)", error)
        #expect(!printed.text.contains("s3cret"))
    }

    @Test func theTextOfAServiceIsCapped() async throws {
        let long = String(repeating: "x", count: 100_000)
        let site = site(#"{"error":{"message":"\#(long)\u001b[31m"}}"#)
        site.setRules { $0.errorDecoders = [.jsonMember("error")] }
        let error = try await failure { try await site.get(as: Int.self) }
        #expect(error.message.count < 2_000)
        #expect(!error.message.contains("\u{1B}"))
    }

    @Test(
        arguments: [
            (TransportFailure.Phase.poolWait, "waiting for a connection from the pool"), (.connect, "connecting"),
            (.response, "waiting for the response's head"), (.idle, "waiting for more bytes"),
            (.rateLimit, "waiting for a permit from the rate limit"), (.total, "the whole call"),
        ]
    )
    func thePhaseOfATimeLimitIsToldInWords(phase: TransportFailure.Phase, words: String) async throws {
        let failed = TransportFailure(.timeout(phase), "gave up after 5 seconds")
        let site = Resource("http://a.example", transport: StubTransport { _ in .failure(failed) }.watched) {
            $0.retry = .never
        }
        let error = try await failure { try await site.get() }
        #expect("\(error)" == "timeout (\(words)) GET http://a.example/: gave up after 5 seconds")
        #expect("\(failed)" == "timeout (\(words)): gave up after 5 seconds")
    }

    @Test func dumpShowsWhatPrintDoes() async throws {
        let site = site(#"{"password":"s3cret","error":"s3cret"}"#)
        site.setRules {
            $0.headers["Authorization"] = "s3cret"
            $0.query["token"] = "s3cret"
        }
        let printed = Printed()
        printed.add("\(site)", site)
        printed.add("\(site.settings.headers)", site.settings.headers)
        printed.add("\(site.settings.query)", site.settings.query)
        printed.add("", site.settings)
        printed.add("", try RequestURL("http://a.example/?token=s3cret"))
        let payload = Payload.json(["password": "s3cret"])
        printed.add("\(payload)", payload)
        printed.add("\(Payload.text("s3cret"))", Payload.text("s3cret"))
        let error = try await failure { try await site.post(["password": "s3cret"], as: Int.self) }
        printed.add("\(error)", error)
        printed.add("\(error as any Error)", error as any Error)
        let response = try await site.get()
        printed.add("\(response)", response)
        let undecodable = try await failure {
            try await site.with { $0.acceptableStatuses = StatusSet(100..<600) }.get(as: Int.self)
        }
        printed.add("\(undecodable)", undecodable)
        if let cause = undecodable.cause { printed.add("\(cause)", cause) }
        printed.add("", site.call(.get))
        #expect(!printed.text.contains("s3cret"), "\(printed.text)")
    }
}
