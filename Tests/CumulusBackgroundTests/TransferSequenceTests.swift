// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import TestSupport
import Testing

@testable import CumulusBackground

/// The state machine under random events, in any order that an app, a system and a disk may cause.
@Suite struct TransferSequenceTests {
    private struct Broken: Error {}

    /// One transfer through the processes of its life.
    private struct Life {
        var machine = TransferState.new
        /// Whether there is a record, and whether it was written completely.
        var hasRecord = false
        var isWriting = true
        var isMoving = false
        /// Whether the last response was complete and successful.
        var isComplete = false
        var resumed = 0
        var hasFile = false
        var ends = 0
        var problems: [String] = []

        mutating func require(_ condition: Bool, _ problem: String) { if !condition { problems.append(problem) } }

        mutating func perform(_ actions: [TransferState.Action]) {
            for (index, action) in actions.enumerated() {
                require(ends == 0, "\(action) after the end")
                switch action {
                case .resumeTask:
                    require(hasRecord, "resumed without a record")
                    resumed += 1
                case .cancelTask: break
                case .moveFile:
                    require(isComplete && hasRecord && !isMoving, "an incomplete file is moved")
                    isMoving = true
                case .removeRecord:
                    hasRecord = false
                    guard index + 1 < actions.count, case .end = actions[index + 1] else {
                        problems.append("the record is removed before the end")
                        continue
                    }
                case .end(let outcome):
                    require(!hasRecord && index == actions.count - 1, "ended with a record, or not as the last action")
                    if case .downloaded = outcome { require(hasFile, "a result without a file") }
                    ends += 1
                }
            }
        }

        mutating func step(_ random: inout SeededNumbers) -> String? {
            switch Int.random(in: 0..<12, using: &random) {
            case 1 where isWriting:
                isWriting = false
                let isWritten = Int.random(in: 0..<4, using: &random) > 0
                if isWritten { hasRecord = true }
                perform(machine.recorded(isWritten ? nil : Broken()))
                return "recorded \(isWritten)"
            case 2 where !isWriting && ends == 0 && hasRecord:
                perform(machine.recorded(nil))
                return "recorded again"
            case 3 where hasRecord:
                perform(machine.found())
                return "found"
            case 4:
                // Progress is reported while it runs.
                require(!machine.isRunning || hasRecord, "progress without a record")
                return "progressed"
            case 5, 6:
                let status = [200, 201, 206, 302, 404, 500].randomElement(using: &random) ?? 200
                if !isMoving { isComplete = 200..<300 ~= status }
                let problem = isComplete ? nil : CumulusError(.status, stage: .delivery, "\(status)")
                perform(machine.arrived(problem))
                return "arrived \(status)"
            case 7 where isMoving:
                let isMoved = Bool.random(using: &random)
                if isMoved, ends == 0 { hasFile = true }
                let file = DownloadedFile(path: "/file", byteCount: 1)
                perform(machine.moved(isMoved ? .downloaded(file) : .failed(Broken())))
                return "moved \(isMoved)"
            case 8:
                perform(machine.completed(.failed(Broken())))
                return "completed"
            case 9 where Int.random(in: 0..<4, using: &random) == 0:
                perform(machine.cancel())
                return "cancel"
            case 10 where hasRecord && ends == 0:
                // The process ends. The next one only has the record.
                machine = .recorded
                (isWriting, isMoving, isComplete) = (false, false, false)
                return "relaunch"
            default: return nil
            }
        }

        /// Every transfer comes to this.
        mutating func finish() {
            if isWriting {
                (isWriting, hasRecord) = (false, true)
                perform(machine.recorded(nil))
            }
            if isMoving, ends == 0 { perform(machine.moved(.failed(Broken()))) }
            perform(machine.completed(.failed(Broken())))
        }
    }

    @Test("10,000 random lives end once, without a record, and only a complete 2xx response is moved")
    func randomSequences() {
        for seed in 0..<10_000 {
            var random = SeededNumbers(UInt64(seed))
            var (life, events) = (Life(), [String]())
            for _ in 0..<40 { if let event = life.step(&random) { events.append(event) } }
            life.finish()
            let isRight = life.problems.isEmpty && life.ends == 1 && life.machine.isOver && !life.hasRecord
            #expect(isRight, "\(seed): \(events): \(life)")
            if !isRight { return }
        }
    }
}
