// SPDX-License-Identifier: Apache-2.0

import CumulusCore
import HTTPTypes

/// Tells on standard error what is retried, and with `--explain` all attempts: a line each.
struct AttemptNotes: CallObserver {
    let console: Console
    /// Whether attempts, redirects and what isn't retried are told as well.
    let isDetailed: Bool

    func observe(_ event: CallEvent) {
        switch event.kind {
        case .retry(let decision) where decision.obstacle == nil || isDetailed: note("\(decision)")
        case .sending(let request, let attempt) where isDetailed: note("attempt \(attempt): \(request)")
        case .paced(let wait) where isDetailed: note("waited \(SpokenDuration(wait)) for its turn")
        case .late where isDetailed: note("\(event.kind)")
        case .hedged(let record) where isDetailed: note("\(record)")
        case .answered(let head) where isDetailed:
            note("answered \(head.status.code)")
            if let quota = RequestQuota(head.headers, status: head.status) { note("quota: \(quota)") }
        case .again(.redirect, _, _) where isDetailed: note("redirected")
        case .again(.challenge, _, _) where isDetailed: note("asked who sends it, sent again with proof")
        default: break
        }
    }

    private func note(_ text: String) { console.note("cumulus: \(PeerText.printable(text, limit: 1_000))") }
}
