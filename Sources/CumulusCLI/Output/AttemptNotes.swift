// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import CumulusPrimitives
import HTTPTypes

/// Reports retries on standard error, and with `--explain` all attempts, one per line.
struct AttemptNotes: Sendable {
    let console: Console
    /// Whether attempts, redirects and failures without a retry are reported as well.
    let isDetailed: Bool
    /// Whether the command line asks for retries.
    let retries: Bool
    /// The use of the body.
    let use: RequestBuilder.Use

    func observe(_ event: CallEvent) {
        let note = { (text: String) in tell(text, of: event.draft) }
        switch event.kind {
        case .retry(let decision) where decision.obstacle == nil || isDetailed: note("\(decision)")
        case .sending(let request) where isDetailed: note("attempt \(event.attempt): \(request)")
        case .waited(let wait) where isDetailed: note("waited \(SpokenDuration(wait)) for a permit")
        case .responded(let head) where isDetailed:
            note("response \(head.status.code)\(head.storeNote.map { " (cache: \($0))" } ?? "")")
            if let quota = RequestQuota(head.headers, status: head.status) { note("quota: \(quota)") }
        case .again(.redirect, _, let wait) where isDetailed:
            note(
                wait > .zero ? "redirected, after the \(SpokenDuration(wait)) that the server requested" : "redirected"
            )
        case .again(.challenge, _, _) where isDetailed: note("challenged; sent again with authorization")
        case .again(.staleConnection, _, _) where isDetailed: note("the reused connection had closed; sent again")
        case .again(.unprocessed, _, _) where isDetailed: note("the server had not processed the request; sent again")
        case .again(.expectation, _, _) where isDetailed: note("sent again without Expect: 100-continue")
        case .again(.misdirected, _, _) where isDetailed: note("sent again on another connection")
        case .again(.resume, _, _) where isDetailed: note("the body was interrupted; requesting its remaining bytes")
        case .again(.requestTimeout, _, _) where isDetailed: note("the reused connection had timed out; sent again")
        case .ended(.failed(let error)) where isDetailed && retries: tellBreak(error, of: event.draft)
        default: break
        }
    }

    /// A body that was interrupted on its way to the output has no decision: written bytes can't be taken back.
    private func tellBreak(_ error: any Error, of draft: RequestDraft) {
        let isIncomplete =
            switch error {
            case let error as CumulusError: error.attempts.last?.retry == nil && CommandStatus.isIncomplete(error)
            case let failure as TransportFailure: failure.kind == .truncated || failure.kind == .connectionClosed
            default: false
            }
        guard case .output = use, isIncomplete else { return }
        tell("not retried: the beginning of the body has already been written", of: draft)
    }

    /// With several requests, each line names its own.
    private func tell(_ text: String, of draft: RequestDraft) {
        let place = if case .download(isListed: true) = use { "\(draft.redactedURL): " } else { "" }
        console.note("cumulus: \(place)\(PeerText.printable(text, limit: 1_000))")
    }
}
