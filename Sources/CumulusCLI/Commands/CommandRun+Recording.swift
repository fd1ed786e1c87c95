// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusTesting

extension CommandRun {
    /// Runs work with a transport whose exchanges are recorded in the plan's HAR file, if it has one.
    ///
    /// The file is replaced before anything is sent, so that a run whose exchanges can't be recorded sends nothing.
    func recording(
        _ plan: Plan,
        over transport: any Transport,
        _ work: (any Transport) async throws -> CommandStatus
    ) async throws -> CommandStatus {
        guard let file = plan.recordingFile, !plan.isOffline, !plan.isCurl else { return try await work(transport) }
        var options = RecordingOptions()
        options.includesSecrets = plan.output.showsSecrets
        options.secretNames = plan.otherSecretNames.union(plan.identity?.secretName.map { [$0] } ?? [])
        if let codings = plan.codings { options.contentCodings = codings }
        let recording = RecordingTransport(to: file, .always, over: transport, options: options)
        try await save(recording)
        do {
            let status = try await work(recording)
            try await save(recording)
            return status
        } catch {
            // The first error counts.
            try? await save(recording)
            throw error
        }
    }

    private func save(_ recording: RecordingTransport) async throws {
        do {
            try await recording.save()
        } catch let error as CumulusError {
            guard let problem = error.cause as? RecordingProblem else { throw error }
            throw OutputProblem(path: problem.file, reason: problem.reason)
        }
    }
}
