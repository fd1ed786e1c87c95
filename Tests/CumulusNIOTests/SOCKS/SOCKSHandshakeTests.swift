// SPDX-License-Identifier: Apache-2.0

import NIOCore
import Testing

@testable import CumulusNIO

/// The handshakes of SOCKS, byte by byte and with peers that violate their rules.
struct SOCKSHandshakeTests {
    private typealias Outcome = Result<[SOCKSStep], SOCKSProblem>

    /// The outcome of responses, each sent after the last was processed, in pieces of `count` bytes.
    private func outcome(_ answers: [[UInt8]], every count: Int, user: SOCKS5Handshake.User?) -> Outcome {
        var handshake = SOCKS5Handshake(to: .name(Array("a.example".utf8)), port: 443, user: user)
        return outcome(answers, every: count) { bytes throws(SOCKSProblem) in try handshake.receive(bytes) }
    }

    private func outcome4(_ answer: [UInt8], every count: Int = 100) -> Outcome {
        var handshake = SOCKS4Handshake(to: .name(Array("a.example".utf8)), port: 443, user: [])
        return outcome([answer], every: count) { bytes throws(SOCKSProblem) in try handshake.receive(bytes) }
    }

    private func outcome(
        _ answers: [[UInt8]],
        every count: Int,
        _ receive: (ByteBuffer) throws(SOCKSProblem) -> SOCKSStep
    ) -> Outcome {
        var steps: [SOCKSStep] = []
        do throws(SOCKSProblem) {
            for answer in answers {
                for start in stride(from: 0, to: answer.count, by: count) {
                    let step = try receive(ByteBuffer(bytes: answer[start..<min(start + count, answer.count)]))
                    if step != .wait { steps.append(step) }
                }
            }
            return .success(steps)
        } catch {
            return .failure(error)
        }
    }

    private let name = [5, 1, 0, 3, 9] + Array("a.example".utf8) + [1, 0xBB]
    private let opened: [UInt8] = [5, 0, 0, 1, 1, 2, 3, 4, 5, 6]

    @Test(arguments: [1, 2, 100]) func nobodyNeedsToProveWhoTheyAre(_ count: Int) {
        #expect(SOCKS5Handshake(to: .ipv4([1, 2, 3, 4]), port: 1, user: nil).greeting == [5, 1, 0])
        #expect(outcome([[5, 0], opened], every: count, user: nil) == .success([.send(name), .open]))
        let long: [UInt8] = [5, 0, 0, 3, 255] + Array(repeating: 7, count: 255) + [0, 1]
        #expect(outcome([[5, 0], long], every: count, user: nil) == .success([.send(name), .open]))
        let wide: [UInt8] = [5, 0, 0, 4] + Array(repeating: 7, count: 18)
        #expect(outcome([[5, 0], wide], every: count, user: nil) == .success([.send(name), .open]))
    }

    @Test(arguments: [1, 100]) func userAndPasswordAreSentWhereTheyAreAskedFor(_ count: Int) {
        let user: SOCKS5Handshake.User = (Array("ada".utf8), Array("love".utf8))
        #expect(SOCKS5Handshake(to: .ipv4([1, 2, 3, 4]), port: 1, user: user).greeting == [5, 2, 0, 2])
        let proof: [UInt8] = [1, 3] + Array("ada".utf8) + [4] + Array("love".utf8)
        let steps: [SOCKSStep] = [.send(proof), .send(name), .open]
        #expect(outcome([[5, 2], [1, 0], opened], every: count, user: user) == .success(steps))
        #expect(outcome([[5, 2], [5, 0], opened], every: count, user: user) == .success(steps))
        #expect(outcome([[5, 0], opened], every: count, user: user) == .success([.send(name), .open]))
        #expect(outcome([[5, 2], [1, 1]], every: count, user: user) == .failure(.credentials))
        #expect(outcome([[5, 2], [2, 0]], every: count, user: user) == .failure(.otherVersion(2)))
    }

    @Test func addressesAreSentAsSuch() {
        for (target, bytes) in [
            (SOCKSTarget.ipv4([1, 2, 3, 4]), [1, 1, 2, 3, 4]), (.ipv6(Array(0..<16)), [4] + Array(0..<16)),
        ] as [(SOCKSTarget, [UInt8])] {
            var handshake = SOCKS5Handshake(to: target, port: 0x1234, user: nil)
            #expect(throws: Never.self) {
                let step = try handshake.receive(ByteBuffer(bytes: [5, 0]))
                #expect(step == .send([5, 1, 0] + bytes + [0x12, 0x34]))
            }
        }
    }

    @Test(
        arguments: [
            ([[4]], .otherVersion(4)), ([Array("HTTP/1.1 400 Bad\r\n".utf8)], .otherVersion(0x48)),
            ([[5, 0xFF]], .credentials), ([[5, 2]], .unknownMethod(2)), ([[5, 1]], .unknownMethod(1)),
            ([[5, 0], [4]], .otherVersion(4)), ([[5, 0], [5, 1]], .refused(1)),
            ([[5, 0], [5, 5, 0, 1]], .refused(5)), ([[5, 0], [5, 255]], .refused(255)),
            ([[5, 0], [5, 0, 0, 2]], .unknownAddress(2)), ([[5, 0], [5, 0, 0, 0, 0]], .unknownAddress(0)),
            ([[5, 0], [5, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7]], .unaskedBytes),
            ([[5, 0], [5, 0, 0, 3, 0, 5, 6, 7]], .unaskedBytes),
            ([[5, 0], [5, 0, 0, 1, 1, 2, 3, 4, 5, 6], [7]], .unaskedBytes),
        ] as [([[UInt8]], SOCKSProblem)]
    )
    func refusesWhatIsNoAnswer(_ answers: [[UInt8]], _ problem: SOCKSProblem) {
        for count in [1, 100] { #expect(outcome(answers, every: count, user: nil) == .failure(problem)) }
    }

    @Test func anAnswerBeforeItsQuestionIsRefused() {
        #expect(outcome([[5, 0] + opened], every: 100, user: nil) == .failure(.unaskedBytes))
        let user: SOCKS5Handshake.User = (Array("ada".utf8), [])
        #expect(outcome([[5, 2], [1, 0, 5]], every: 100, user: user) == .failure(.unaskedBytes))
    }

    @Test("the first bytes of a server that may begin are kept") func serverBegins() throws {
        let early: [UInt8] = [0, 0, 0, 4]
        var five = SOCKS5Handshake(to: .ipv4([1, 2, 3, 4]), port: 1, user: nil, serverMayBegin: true)
        _ = try five.receive(ByteBuffer(bytes: [5, 0]))
        #expect(try five.receive(ByteBuffer(bytes: opened + early)) == .open)
        #expect(five.rest == ByteBuffer(bytes: early))
        var four = SOCKS4Handshake(to: .ipv4([1, 2, 3, 4]), port: 1, user: [], serverMayBegin: true)
        #expect(try four.receive(ByteBuffer(bytes: [0, 90, 0, 0, 0, 0, 0, 0] + early)) == .open)
        #expect(four.rest == ByteBuffer(bytes: early))
    }

    @Test func anAnswerThatIsCutOffIsWaitedFor() {
        for answers in [[[5]], [[5, 0], [5]], [[5, 0], [5, 0, 0, 3]], [[5, 0], [5, 0, 0, 3, 200, 1]]] as [[[UInt8]]] {
            guard case .success(let steps) = outcome(answers, every: 1, user: nil) else {
                Issue.record("\(answers) is refused")
                continue
            }
            #expect(!steps.contains(.open))
        }
    }

    @Test func version4aSendsNamesBehindTheUser() {
        let user = Array("ada".utf8)
        let name = SOCKS4Handshake(to: .name(Array("a.b".utf8)), port: 0x1234, user: user).request
        #expect(name == [4, 1, 0x12, 0x34, 0, 0, 0, 1] + user + [0] + Array("a.b".utf8) + [0])
        let address = SOCKS4Handshake(to: .ipv4([1, 2, 3, 4]), port: 80, user: []).request
        #expect(address == [4, 1, 0, 80, 1, 2, 3, 4, 0])
    }

    @Test func version4aHasOneAnswer() {
        for count in [1, 3, 100] {
            #expect(outcome4([0, 90, 1, 2, 3, 4, 5, 6], every: count) == .success([.open]))
            #expect(outcome4([4, 90, 1, 2, 3, 4, 5, 6], every: count) == .success([.open]))
            #expect(outcome4([0, 91], every: count) == .failure(.refused(91)))
            #expect(outcome4([0, 0], every: count) == .failure(.refused(0)))
            #expect(outcome4([0, 93, 0], every: count) == .failure(.credentials))
            #expect(outcome4([5, 90], every: count) == .failure(.otherVersion(5)))
            #expect(outcome4([0, 90, 1, 2, 3, 4, 5, 6, 7], every: count) == .failure(.unaskedBytes))
            #expect(outcome4([0, 90, 1, 2, 3, 4, 5], every: count) == .success([]))
        }
    }

    @Test func problemsAreToldInWords() {
        let problems: [SOCKSProblem] = [
            .otherVersion(4), .credentials, .unknownMethod(3), .refused(1), .unknownAddress(9), .unaskedBytes, .closed,
        ]
        #expect(Set(problems.map(\.description)).count == problems.count)
    }
}
