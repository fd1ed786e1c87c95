// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import Foundation
import HTTPTypes
import Synchronization

/// The transfers of a session, and the driver of their states.
///
/// The session calls it on one queue, the app on any thread. Actions that neither block nor call back are performed under
/// the lock, so that they happen in the order of the state's changes.
final class TransferTable: Sendable {
    private struct State {
        var entries: [String: TransferEntry] = [:]
        /// The ended or refused tasks.
        var ended: Set<EndedTask> = []
        /// The transfers with unusable records.
        var refused: Set<String> = []
    }

    /// A task by its number, which a session that has lost its tasks may use again, and its description.
    private struct EndedTask: Hashable {
        let number: Int
        let description: String?

        init(_ number: Int, _ description: String?) { (self.number, self.description) = (number, description) }
        init(_ task: any SessionTask) { self.init(task.taskIdentifier, task.taskDescription) }
    }

    let events = EventQueue()
    private let records: TransferRecords
    private let disk = DiskQueue("cumulus.background")
    private let state = Mutex(State())

    /// Reads the records of earlier processes.
    init(_ records: TransferRecords) {
        self.records = records
        state.withLock { state in
            for (id, found) in records.all() { add(id, found, to: &state) }
        }
    }

    /// Adds a transfer of an earlier process; one with an unusable record is reported, unless a later attempt may read it.
    private func add(_ id: String, _ found: Result<TransferRecord, TransferRecord.Problem>, to state: inout State) {
        do throws(TransferRecord.Problem) {
            let record = try found.get()
            guard let transfer = try? record.transfer(home: NSHomeDirectory()) else { throw .damaged }
            state.entries[id] = TransferEntry(transfer, record, .recorded)
        } catch {
            if error == .unreadable { return }
            state.refused.insert(id)
            // Another user's file isn't ours.
            if error == .damaged { records.remove(id) }
            events.add(.unknown(CumulusError(error, of: id)))
        }
    }

    /// The transfers that have a record and no result.
    var running: [BackgroundTransfer] {
        state.withLock { state in state.entries.values.filter(\.state.isRunning).map(\.transfer) }
    }

    // MARK: The app

    /// Starts a transfer: makes its task, writes its record, and lets the system send it.
    ///
    /// - Throws: `CumulusError` if the record can't be written.
    func start(
        _ request: TransferRequest,
        _ options: BackgroundTransferOptions,
        makeTask: @Sendable () -> any SessionTask
    ) async throws -> BackgroundTransfer {
        let id = UUID().uuidString
        let (transfer, record) = try state.withLock { state in
            // Under the lock, so that no task is seen before its entry.
            let task = makeTask()
            task.taskDescription = id
            do {
                let record = try TransferRecord(id: id, task: task.taskIdentifier, request: request, options: options)
                let transfer = try record.transfer(home: NSHomeDirectory())
                state.entries[id] = TransferEntry(transfer, record, .new, task: task)
                return (transfer, record)
            } catch {
                state.ended.insert(EndedTask(task))
                task.cancel()
                throw error
            }
        }
        do { try await disk.run { [records] in try records.write(record) } } catch {
            perform(id, isReported: false) { $0.recorded(error) }
            throw error
        }
        perform(id) { $0.recorded(nil) }
        return transfer
    }

    func cancel(_ id: String) { perform(id) { $0.cancel() } }

    // MARK: The system

    /// Compares the system's tasks with the records, once after the session was made.
    func attach(_ tasks: [any SessionTask]) {
        for task in tasks { if let id = identify(task) { perform(id) { $0.found() } } }
        let lost = state.withLock { state in state.entries.filter { $0.value.task == nil }.map(\.key) }
        for id in lost {
            perform(id) { state, entry in
                let message = "the system no longer has the transfer; the file may be complete if it exists"
                return state.completed(.failed(ResponseCheck(record: entry.record).problem(.incomplete, message)))
            }
        }
    }

    func progressed(_ task: any SessionTask, completed: Int64, total: Int64) {
        guard let id = identify(task) else { return }
        state.withLock { state in
            guard let entry = state.entries[id], entry.state.isRunning else { return }
            events.add(entry.progress(completed, total > 0 ? total : nil))
        }
    }

    /// Bytes of the response to an upload arrived.
    func received(_ task: any SessionTask, _ bytes: Data) {
        guard let id = identify(task) else { return }
        state.withLock { state in
            let space = ResponseCheck.longestBody + 1 - (state.entries[id]?.body.count ?? 0)
            state.entries[id]?.body += bytes.prefix(max(0, space))
        }
    }

    /// A temporary file is complete; the system removes it after this function unless it was moved.
    func arrived(_ task: any SessionTask, _ path: String, _ response: TaskResponse?) {
        guard let id = identify(task), let entry = state.withLock({ $0.entries[id] }) else { return }
        let check = ResponseCheck(record: entry.record)
        let (size, body) = Self.inspect(path, readsBody: response?.status.kind != .successful)
        let problem = check.problem(with: response, body: body, size: size)
        var isMoving = false
        perform(id) { state in
            let actions = state.arrived(problem)
            for case .moveFile in actions { isMoving = true }
            return actions
        }
        guard isMoving else { return }
        let delivery = FileDelivery(record: entry.record, destination: entry.transfer.file)
        let outcome: TransferState.Outcome
        do {
            outcome = .downloaded(try delivery.move(path, response.flatMap { check.response($0) }))
        } catch { outcome = .failed(error) }
        perform(id) { $0.moved(outcome) }
    }

    /// The task has ended; after a download, `arrived` was called before.
    ///
    /// - Parameters:
    ///   - task: The task.
    ///   - response: Its last response.
    ///   - error: The system's error.
    ///   - url: The URL of its last request, after redirects.
    func completed(_ task: any SessionTask, _ response: TaskResponse?, _ error: (any Error)?, at url: URL?) {
        guard let id = identify(task) else { return }
        perform(id) { state, entry in
            let check = ResponseCheck(record: entry.record)
            if let error {
                // The target may have received credentials before the failure.
                let refusal = check.redirectProblem(at: url)
                return state.completed(.failed(refusal ?? check.problem(error, hasHead: response != nil)))
            }
            let body = Array(entry.body.prefix(ResponseCheck.longestBody))
            if let problem = check.problem(with: response, body: body, size: nil) {
                return state.completed(.failed(problem))
            }
            let whole = response.flatMap { check.response($0, body: body) }
            guard entry.record.kind == .upload, let whole else {
                return state.completed(.failed(check.problem(.incomplete, "the system delivered no file", whole)))
            }
            guard entry.body.count <= ResponseCheck.longestBody else {
                let message = "the file was accepted, but the response is longer than 1 MiB"
                return state.completed(.failed(check.problem(.bodyTooLarge, message, whole)))
            }
            return state.completed(.uploaded(whole))
        }
    }

    /// The transfer of a task; a task without one is cancelled and reported once.
    ///
    /// A task with a record that can't be read is left alone, and its record is read again at its next callback.
    private func identify(_ task: any SessionTask) -> String? {
        state.withLock { state in
            let key = EndedTask(task)
            guard !state.ended.contains(key) else { return nil }
            if let id = task.taskDescription {
                guard mayIdentify(id, in: &state) else { return nil }
                if let entry = state.entries[id], entry.record.task == task.taskIdentifier {
                    state.entries[id]?.task = task
                    return id
                }
            }
            state.ended.insert(key)
            task.cancel()
            if task.taskDescription.map({ state.refused.contains($0) }) != true {
                let message = "a transfer in the background session had no record and was cancelled"
                events.add(.unknown(CumulusError(.incomplete, stage: .delivery, message)))
            }
            return nil
        }
    }

    /// Reads the record of a missing entry; false if it can't be read now.
    private func mayIdentify(_ id: String, in state: inout State) -> Bool {
        guard state.entries[id] == nil, !state.refused.contains(id) else { return true }
        do throws(TransferRecord.Problem) {
            if let record = try records.read(id) { add(id, .success(record), to: &state) }
        } catch {
            if error == .unreadable { return false }
            add(id, .failure(error), to: &state)
        }
        return true
    }

    /// The size of a file, and for an error its beginning; nothing if it can't be read.
    private static func inspect(_ path: String, readsBody: Bool) -> (size: Int64?, body: [UInt8]) {
        guard let file = try? OpenedFile(path) else { return (nil, []) }
        let body = readsBody ? try? file.read(at: 0, count: ResponseCheck.longestBody) : nil
        return (try? file.size(), body ?? [])
    }

    // MARK: Actions

    private func perform(
        _ id: String,
        isReported: Bool = true,
        _ change: (inout TransferState) -> [TransferState.Action]
    ) {
        perform(id, isReported: isReported) { state, _ in change(&state) }
    }

    private func perform(
        _ id: String,
        isReported: Bool = true,
        _ change: (inout TransferState, TransferEntry) -> [TransferState.Action]
    ) {
        state.withLock { state in
            guard var entry = state.entries[id] else { return }
            var changed = entry.state
            let actions = change(&changed, entry)
            entry.state = changed
            for action in actions {
                switch action {
                case .moveFile: break  // by the caller, since it blocks
                case .resumeTask: entry.task?.resume()
                case .cancelTask: entry.task?.cancel()
                case .removeRecord: records.remove(id)
                case .end(let outcome):
                    state.ended.insert(EndedTask(entry.record.task, id))
                    if isReported { events.add(outcome.event(of: entry.transfer)) }
                }
            }
            state.entries[id] = entry.state.isOver ? nil : entry
        }
    }
}
