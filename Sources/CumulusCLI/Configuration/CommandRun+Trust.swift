// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives

extension CommandRun {
    /// Trusts the working folder's configuration file after showing its text, or stops trusting it.
    func trust(_ plan: TrustPlan) async throws -> CommandStatus {
        let surroundings = console.surroundings
        guard let path = ConfigurationLookup(surroundings).folderPath,
            let trusted = TrustedFiles(surroundings.environment)
        else { throw UsageMistake("the list of trusted files can't be saved: neither XDG_STATE_HOME nor HOME is set") }
        if plan.removes {
            let was = try await trusted.remove(path)
            console.note(
                was ? "cumulus: \(quoted(path)) is no longer trusted" : "cumulus: \(quoted(path)) was not trusted"
            )
            return .success
        }
        guard let bytes = try surroundings.readConfiguration(path, false) else {
            throw UsageMistake("this folder has no file \(ConfigurationLookup.folderFile)")
        }
        let file = try ConfigurationFile(parsing: bytes, path: path)
        try ConfigurationLookup(surroundings).refuseSharedSecrets(of: file)
        try file.refuseFilesElsewhere()
        let text = TerminalText.harmless(String(decoding: bytes, as: UTF8.self))
        try console.write(Array((text.ends(with: "\n") || text.isEmpty ? text : text + "\n").utf8))
        for line in TrustSummary(file).lines { console.note("cumulus: \(line)") }
        if !plan.isApproved {
            guard let answer = try console.ask("cumulus: trust \(PeerText.printable(path))? [y/N] ") else {
                throw UsageMistake(
                    "there is no terminal to ask for confirmation",
                    hint: "cumulus trust --yes trusts it without asking"
                )
            }
            guard ["y", "yes"].contains(answer.lowercased()) else { return .success }
        }
        // The content that was shown, even if the file has changed since.
        try await trusted.add(path, bytes)
        return .success
    }
}

/// A plan of `cumulus trust`.
struct TrustPlan: Equatable, Sendable {
    let isApproved: Bool
    let removes: Bool
}
