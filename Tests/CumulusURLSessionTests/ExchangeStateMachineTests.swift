// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

@testable import CumulusURLSession

@Suite(.serialized) struct ExchangeStateMachineTests {
    private struct Broken: Error {}

    /// The actions as words, for comparison.
    private func words(_ actions: [ExchangeStateMachine.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .deliverHead: "head"
            case .failHead(let error): "failHead \(type(of: error))"
            case .deliver(let data): "deliver \(data.count)"
            case .deliverEnd: "end"
            case .failRead(let error): "failRead \(type(of: error))"
            case .holdBack: "holdBack"
            case .letGo: "letGo"
            case .startTask: "start"
            case .cancelTask: "cancel"
            case .cleanUp: "cleanUp"
            }
        }
    }

    private func machine(head: Bool = true) -> ExchangeStateMachine {
        var machine = ExchangeStateMachine(highWatermark: 10, unreadLimit: 100)
        if head { _ = machine.head() }
        return machine
    }

    @Test func deliversHeadBytesAndEndInOrder() {
        var machine = machine(head: false)
        #expect(machine.awaitedPhase == .response)
        #expect(words(machine.head()) == ["head"])
        #expect(machine.awaitedPhase == .idle)
        #expect(words(machine.data(Data(count: 3))) == [])
        #expect(words(machine.read()) == ["deliver 3"])
        #expect(words(machine.read()) == [])
        #expect(words(machine.data(Data(count: 4))) == ["deliver 4"])
        #expect(words(machine.completed(nil)) == ["cleanUp"])
        #expect(machine.awaitedPhase == nil)
        #expect(words(machine.read()) == ["end"])
        #expect(words(machine.read()) == ["end"])
        #expect(machine.isOver)
    }

    @Test func sendsNothingOfAnExchangeThatHasEnded() {
        var running = machine(head: false)
        #expect(words(running.start()) == ["start"])
        var ended = machine(head: false)
        _ = ended.fail(Broken())
        #expect(words(ended.start()) == ["cancel", "failHead Broken"])
    }

    @Test func endsAReaderThatWaits() {
        var machine = machine()
        _ = machine.read()
        #expect(words(machine.completed(nil)) == ["end", "cleanUp"])
    }

    @Test func deliversWhatCameBeforeAnError() {
        var machine = machine()
        _ = machine.data(Data(count: 1))
        #expect(words(machine.completed(Broken())) == ["cleanUp"])
        #expect(words(machine.read()) == ["deliver 1"])
        #expect(words(machine.read()) == ["failRead Broken"])
        #expect(words(machine.read()) == ["failRead Broken"])
    }

    @Test func failsTheHead() {
        var withError = machine(head: false)
        #expect(words(withError.completed(Broken())) == ["failHead Broken", "cleanUp"])
        #expect(words(withError.completed(nil)) == [])
        var without = machine(head: false)
        #expect(words(without.completed(nil)) == ["failHead TransportFailure", "cleanUp"])
    }

    @Test func holdsThePeerBackWhileNobodyReads() {
        var machine = machine()
        #expect(words(machine.data(Data(count: 9))) == [])
        #expect(words(machine.data(Data(count: 1))) == ["holdBack"])
        #expect(machine.awaitedPhase == nil)
        #expect(words(machine.data(Data(count: 5))) == [])
        #expect(words(machine.read()) == ["deliver 9"])
        #expect(words(machine.read()) == ["letGo", "deliver 1"])
        #expect(words(machine.read()) == ["deliver 5"])
    }

    @Test func failsAtTheLimitOfUnreadBytes() {
        var machine = machine()
        _ = machine.data(Data(count: 99))
        #expect(words(machine.data(Data(count: 1))) == ["cancel", "cleanUp"])
        #expect(words(machine.read()) == ["failRead TransportFailure"])
    }

    @Test func cancellationLosesWhatIsUnread() {
        var early = machine(head: false)
        #expect(words(early.fail(CancellationError())) == ["cancel", "failHead CancellationError", "cleanUp"])
        #expect(words(early.head()) == [])
        #expect(words(early.data(Data(count: 1))) == [])
        var late = machine()
        _ = late.read()
        #expect(words(late.fail(CancellationError())) == ["cancel", "failRead CancellationError", "cleanUp"])
        #expect(words(late.fail(Broken())) == [])
        var over = machine()
        _ = over.completed(nil)
        #expect(words(over.fail(CancellationError())) == ["cleanUp"])
    }

    @Test func aChallengeAfterTheAnswerIsItsEnd() {
        var machine = machine()
        _ = machine.read()
        let (challenge, actions) = machine.challenged()
        #expect(challenge == .end)
        #expect(words(actions) == ["end", "cleanUp"])
        #expect(words(machine.completed(Broken())) == [])
        var before = self.machine(head: false)
        #expect(before.challenged().0 == .withoutCredentials)
    }
}
