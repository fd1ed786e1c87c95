// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import CumulusURLSession
import Foundation
import HTTPTypes
import Synchronization
import TestSupport

@testable import CumulusBackground

/// A task that counts what is done to it.
final class FakeTask: SessionTask {
    struct Counts: Equatable {
        var resumed = 0
        var cancelled = 0
    }

    let taskIdentifier: Int
    private let label: Mutex<String?>
    private let state = Mutex(Counts())

    init(_ number: Int, _ label: String? = nil) {
        taskIdentifier = number
        self.label = Mutex(label)
    }

    var taskDescription: String? {
        get { label.withLock(\.self) }
        set { label.withLock { $0 = newValue } }
    }
    var counts: Counts { state.withLock(\.self) }

    func resume() { state.withLock { $0.resumed += 1 } }
    func cancel() { state.withLock { $0.cancelled += 1 } }
}

/// A folder with records, and a table of transfers that reads them.
struct TransferBench {
    let folder: TemporaryFolder
    let records: TransferRecords
    let table: TransferTable

    /// Makes a table; with the bench of an earlier process, on its folder.
    init(
        after earlier: TransferBench? = nil,
        readFile: (@Sendable (PrivateFile) throws(FileFailure) -> [UInt8]?)? = nil
    ) throws {
        folder = try earlier?.folder ?? TemporaryFolder()
        var records = try TransferRecords(identifier: "com.example.test", in: "\(folder.path)/records")
        if let readFile { records.readFile = readFile }
        self.records = records
        table = TransferTable(records)
    }

    var file: String { "\(folder.path)/file.bin" }
    /// The names of the records.
    var recordNames: [String] { (try? FileManager.default.contentsOfDirectory(atPath: records.folder).sorted()) ?? [] }

    func write(_ text: String) throws -> String { try folder.write(text, to: "arrived-\(UUID().uuidString)") }

    /// Starts a download, or an upload.
    func start(
        _ task: FakeTask,
        isUpload: Bool = false,
        options: BackgroundTransferOptions = .init(),
        headers: Headers = [:]
    ) async throws -> BackgroundTransfer {
        let site = Resource("https://api.example.com/data", transport: URLSessionTransport())
        var call = site.call(isUpload ? .put : .get, headers: headers)
        if isUpload { call.payload = .file(try folder.write("sent", to: "source.bin")) }
        let request = try await TransferRequest(
            call,
            destination: isUpload ? nil : file,
            allowsCredentials: options.allowsCredentialsOnRedirects
        )
        return try await table.start(request, options) { task }
    }

    /// The next events, as short texts.
    func events(_ count: Int) async -> [String] {
        var texts: [String] = []
        for _ in 0..<count { if let event = await table.events.next() { texts.append(event.text) } }
        return texts
    }

    /// All events so far, as short texts.
    func eventsSoFar() async -> [String] {
        // An event of our own marks the end.
        table.events.add(.unknown(CumulusError(.refused, stage: .preflight, "the mark of the test")))
        var texts: [String] = []
        while let event = await table.events.next() {
            if case .unknown(let error) = event, error.code == .refused { break }
            texts.append(event.text)
        }
        return texts
    }
}

extension TaskResponse {
    static func ok(_ status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> TaskResponse {
        TaskResponse(status: status, headers: headers, origin: Origin(scheme: .https, host: "api.example.com"))
    }
}

extension BackgroundEvent {
    /// The kind of the event, with the code of an error.
    var text: String {
        switch self {
        case .progress(_, let progress): "progress \(progress.completed)"
        case .downloaded: "downloaded"
        case .uploaded(_, let response): "uploaded \(response.text ?? "")"
        case .failed(_, let error as CumulusError): "failed \(error.code)"
        case .failed(_, is CancellationError): "cancelled"
        case .failed: "failed otherwise"
        case .unknown(let error): "unknown \(error.code)"
        }
    }
}
