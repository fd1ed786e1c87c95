// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation
import Testing

@testable import CumulusURLSession

/// The state machine under random events, in any order that a session, a reader and a deadline may cause.
@Suite struct ExchangeSequenceTests {
    private struct Broken: Error {}

    /// One exchange, as a caller and a session see it.
    private struct Observed {
        var machine = ExchangeStateMachine(highWatermark: 10, unreadLimit: 40)
        /// Whether a caller waits for the head, or has it.
        var hasStarted = false
        /// Whether the session has the task, and may report something.
        var isRunning = false
        var heads = 0
        var isReading = false
        var isHeldBack = false
        var cancellations = 0
        var hasEnded = false
        /// Numbers that were put into the data, and those that came out.
        var next: UInt8 = 0
        var received: [UInt8] = []
        var delivered: [UInt8] = []
        var hasCompleted = false
        var problems: [String] = []

        mutating func require(_ condition: Bool, _ problem: String) {
            if !condition { problems.append(problem) }
        }

        mutating func perform(_ actions: [ExchangeStateMachine.Action]) {
            for action in actions {
                switch action {
                case .startTask:
                    require(hasStarted && !isRunning, "started twice")
                    isRunning = true
                case .deliverHead, .failHead: if hasStarted { heads += 1 }
                case .deliver(let data):
                    require(isReading, "bytes without a reader")
                    isReading = false
                    delivered += data
                case .deliverEnd, .failRead:
                    require(isReading, "an end without a reader")
                    isReading = false
                    hasEnded = true
                case .holdBack:
                    require(!isHeldBack, "held back twice")
                    isHeldBack = true
                case .letGo:
                    require(isHeldBack, "let go without need")
                    isHeldBack = false
                case .cancelTask: cancellations += 1
                case .cleanUp: break
                }
            }
        }

        mutating func step(_ random: inout SystemRandomNumberGenerator, _ events: inout [String]) {
            let event = Int.random(in: 0..<100, using: &random)
            switch event {
            case 0..<10 where !hasStarted:
                events.append("start")
                hasStarted = true
                perform(machine.start())
            case 10..<25 where isRunning:
                events.append("head")
                perform(machine.head())
            case 25..<60 where isRunning:
                let data = Data((0..<Int.random(in: 0..<9, using: &random)).map { next &+ UInt8($0) })
                events.append("data \(data.count)")
                let isStreaming = machine.awaitedPhase != .response && !machine.isOver && !hasCompleted
                if isStreaming {
                    received += data
                    next &+= UInt8(data.count)
                }
                perform(machine.data(data))
            case 60..<92 where heads > 0 && !isReading:
                events.append("read")
                isReading = true
                perform(machine.read())
            case 92..<94 where isRunning:
                events.append("completed")
                hasCompleted = true
                perform(machine.completed(Bool.random(using: &random) ? nil : Broken()))
            case 94..<95 where isRunning:
                events.append("challenged")
                let (challenge, actions) = machine.challenged()
                if challenge == .end { hasCompleted = true }
                perform(actions)
            case 95..<96:
                events.append("fail")
                perform(machine.fail(Broken()))
            default: break
            }
        }
    }

    @Test("whatever happens in whatever order, a caller gets one head, its bytes in order, and one end")
    func randomSequences() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<10_000 {
            var (observed, events) = (Observed(), [String]())
            for _ in 0..<60 { observed.step(&random, &events) }
            // Every exchange comes to this.
            if !observed.hasStarted {
                observed.hasStarted = true
                observed.perform(observed.machine.start())
            }
            observed.perform(observed.machine.fail(Broken()))
            let isOver = observed.machine.isOver
            if !observed.isReading {
                observed.isReading = true
                observed.perform(observed.machine.read())
            }
            let isPrefix = observed.received.starts(with: observed.delivered)
            let isRight =
                observed.problems.isEmpty && observed.heads == 1 && observed.cancellations <= 2 && isPrefix && isOver
                && observed.hasEnded && !observed.isReading
            #expect(isRight, "\(events): \(observed)")
            if !isRight { return }
        }
    }
}
