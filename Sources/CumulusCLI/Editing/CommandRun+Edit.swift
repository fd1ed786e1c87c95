// SPDX-License-Identifier: Apache-2.0

import CumulusCore

extension CommandRun {
    /// Lets the user edit a document, and writes the changes.
    func edit(_ asked: EditPlan) async throws -> CommandStatus {
        let request = try completed(asked.request)
        return try await withCookies([request]) { plans in
            try await withTransport(request) { transport in
                let draft = try await RequestBuilder(plans[0], console: console, renewals: renewals).build(
                    over: transport
                )
                return try await InterruptSignal.finishing { try await EditRun(asked, draft, console: console).run() }
            }
        }
    }
}
