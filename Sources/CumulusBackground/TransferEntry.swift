// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A task of the system.
protocol SessionTask: AnyObject, Sendable {
    var taskIdentifier: Int { get }
    /// The identifier of the transfer; the system keeps it when the process ends.
    var taskDescription: String? { get set }
    func resume()
    func cancel()
}

extension URLSessionTask: SessionTask {}

/// A transfer of the table.
struct TransferEntry: Sendable {
    let transfer: BackgroundTransfer
    let record: TransferRecord
    var state: TransferState
    /// `nil` until the system has reported the task of an earlier process.
    var task: (any SessionTask)?
    /// The bytes of the response to an upload, up to one above the limit.
    var body: [UInt8] = []

    init(
        _ transfer: BackgroundTransfer,
        _ record: TransferRecord,
        _ state: TransferState,
        task: (any SessionTask)? = nil
    ) {
        (self.transfer, self.record, self.state, self.task) = (transfer, record, state, task)
    }

    /// The event for a number of bytes.
    func progress(_ completed: Int64, _ total: Int64?) -> BackgroundEvent {
        let progress = TransferProgress(
            transfer.kind == .download ? .receiving : .sending,
            completed: completed,
            of: total,
            redactedURL: transfer.url.redacted,
            file: transfer.file
        )
        return .progress(transfer, progress)
    }
}

extension TransferState.Outcome {
    /// The event that reports the result.
    func event(of transfer: BackgroundTransfer) -> BackgroundEvent {
        switch self {
        case .downloaded(let file): .downloaded(transfer, file)
        case .uploaded(let response): .uploaded(transfer, response)
        case .failed(let error): .failed(transfer, error)
        }
    }
}
