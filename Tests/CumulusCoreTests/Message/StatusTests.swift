// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting
import HTTPTypes
import TestSupport
import Testing

@Suite struct StatusTests {
    /// Each code of IANA's registry from 100 to 511, by its name here.
    private static let named: [(HTTPResponse.Status, Int)] = [
        (.continue, 100), (.switchingProtocols, 101), (.processing, 102), (.earlyHints, 103),
        (.uploadResumptionSupported, 104), (.ok, 200), (.created, 201), (.accepted, 202),
        (.nonAuthoritativeInformation, 203), (.noContent, 204), (.resetContent, 205), (.partialContent, 206),
        (.multiStatus, 207), (.alreadyReported, 208), (.imUsed, 226), (.multipleChoices, 300),
        (.movedPermanently, 301), (.found, 302), (.seeOther, 303), (.notModified, 304), (.useProxy, 305),
        (.switchProxy, 306), (.temporaryRedirect, 307), (.permanentRedirect, 308), (.badRequest, 400),
        (.unauthorized, 401), (.paymentRequired, 402), (.forbidden, 403), (.notFound, 404), (.methodNotAllowed, 405),
        (.notAcceptable, 406), (.proxyAuthenticationRequired, 407), (.requestTimeout, 408), (.conflict, 409),
        (.gone, 410), (.lengthRequired, 411), (.preconditionFailed, 412), (.contentTooLarge, 413), (.uriTooLong, 414),
        (.unsupportedMediaType, 415), (.rangeNotSatisfiable, 416), (.expectationFailed, 417), (.teapot, 418),
        (.misdirectedRequest, 421), (.unprocessableContent, 422), (.locked, 423), (.failedDependency, 424),
        (.tooEarly, 425), (.upgradeRequired, 426), (.preconditionRequired, 428), (.tooManyRequests, 429),
        (.requestHeaderFieldsTooLarge, 431), (.unavailableForLegalReasons, 451), (.internalServerError, 500),
        (.notImplemented, 501), (.badGateway, 502), (.serviceUnavailable, 503), (.gatewayTimeout, 504),
        (.httpVersionNotSupported, 505), (.variantAlsoNegotiates, 506), (.insufficientStorage, 507),
        (.loopDetected, 508), (.notExtended, 510), (.networkAuthenticationRequired, 511),
    ]

    @Test("every registered code has a name") func names() {
        #expect(Self.named.count == 64)
        for (status, code) in Self.named {
            #expect(status == HTTPResponse.Status(code: code))
            #expect(!status.reasonPhrase.isEmpty)
        }
    }

    @Test(arguments: Array(named.map(\.1)) + [299, 399, 499, 599]) func everyCodeIsInOneRange(code: Int) async throws {
        // A final response is never informational, so those are tested without a server.
        let status = HTTPResponse.Status(code: code)
        let ranges = [
            status.isInformational, status.isSuccessful, status.isRedirection, status.isClientError,
            status.isServerError,
        ]
        #expect(ranges.firstIndex(of: true) == code / 100 - 1)
        #expect(ranges.filter(\.self).count == 1)
        guard code >= 200 else { return }
        let transport = StubTransport { _ in .response(status) }
        let response = try await Resource("http://a.example", transport: transport.watched).get()
        #expect(response.status == status)
        #expect(response.isSuccessful == (200..<300).contains(code))
        #expect((response.failure == nil) == (200..<300).contains(code))
    }

    @Test func acceptableStatusesAreASetting() async throws {
        let transport = StubTransport { request in
            .json("\"\(request.path.dropFirst())\"", status: .init(code: Int(request.path.dropFirst()) ?? 0))
        }
        let site = Resource("http://a.example", transport: transport.watched)
        await #expect(throws: CumulusError.self) { try await site["404"].get(as: JSON.self) }
        site.setRules { $0.acceptableStatuses = .successful.union([.notFound, .teapot]) }
        #expect(try await site["404"].get(as: JSON.self) == "404")
        #expect(try await site["418"].get(as: JSON.self) == "418")
        try await site["200"].get().requireSuccess()
        let lax = site["x"]
        lax.setRules { $0.acceptableStatuses = StatusSet(400..<600) }
        #expect("\(lax.acceptableStatuses)" == "400-599")
        #expect("\(site.acceptableStatuses)" == "200-299, 404, 418")
        let error = await #expect(throws: CumulusError.self) { try await site["500"].get(as: JSON.self) }
        #expect(error?.code == .status)
        site.setRules { $0.acceptableStatuses = [.created] }
        await #expect(throws: CumulusError.self) { try await site["200"].get(as: JSON.self) }
    }

    @Test func anAcceptableBodyIsTakenWhole() async throws {
        let body = [UInt8](repeating: 7, count: 100_000)
        let transport = StubTransport { _ in .response(.notFound, body: body) }
        let site = Resource("http://a.example", transport: transport.watched)
        #expect(try await site.get().isBodyComplete == false)
        site.setRules { $0.acceptableStatuses = [.notFound] }
        #expect(try await site.get(as: [UInt8].self) == body)
        var count = 0
        for try await chunk in try await site.call(.get).stream() { count += chunk.count }
        #expect(count == body.count)
    }

    @Test("sets of the same codes are equal, in whatever order and however often these are named")
    func equalSets() {
        let one: StatusSet = [.ok, .created, .notFound]
        let other: StatusSet = [.notFound, .created, .ok, .created]
        #expect(one == other && one.hashValue == other.hashValue)
        #expect("\(one)" == "200-201, 404" && "\(other)" == "\(one)")
        #expect(StatusSet(200..<250).union(StatusSet(250...299)) == .successful)
        #expect(StatusSet(300..<300) == [] && StatusSet(404...404) == [.notFound])
        #expect(StatusSet(500...Int.max).contains(599) && one != .successful)
    }

    @Test("a set that is joined with the same codes again and again does not grow")
    func joinedAgain() {
        var set = StatusSet.successful
        for code in 0..<10_000 { set = set.union([.notFound, .gone]).union(StatusSet(code % 3..<code % 3 + 2)) }
        #expect("\(set)" == "0-3, 200-299, 404, 410")
    }

    @Test("a set has exactly the codes that it was made of")
    func members() {
        var numbers = SeededNumbers(11)
        for _ in 0..<200 {
            var (set, codes): (StatusSet, Set<Int>) = ([], [])
            for _ in 0..<Int.random(in: 0...8, using: &numbers) {
                let first = Int.random(in: 0..<40, using: &numbers)
                let range = first..<first + Int.random(in: 0...6, using: &numbers)
                set = set.union(StatusSet(range))
                codes.formUnion(range)
            }
            #expect((0..<50).filter { set.contains($0) } == codes.sorted())
        }
    }
}
