// SPDX-License-Identifier: Apache-2.0

/// A hook that receives a request before it is encoded, and may change it or refuse it by throwing.
///
/// ``RequestDraft/resource`` is the resource on which the call was made. A method of your own type also works, to store
/// and combine checks: `$0.preflights = [stamping.stamp, signing.sign]`.
public typealias PreflightCheck = @Sendable (inout RequestDraft) async throws -> Void

/// Passes a draft to each preflight, the root's first, which may change or refuse it.
struct Preflight: Sendable {
    let checks: SettingList<PreflightCheck>

    /// Runs the preflights of a call, and ends them at its deadline.
    func review(_ draft: RequestDraft, _ start: CallStart, on clock: any RequestClock) async throws -> RequestDraft {
        if checks.isEmpty { return draft }
        if start.end == nil { return try await review(draft) }
        return try await start.limited(on: clock) {
            let failure = start.deadlineFailure(on: clock, of: "the call, still in a preflight,")
            return CumulusError(failure, stage: .preflight, request: draft.bare)
        } _: {
            try await review(draft)
        }
    }

    /// Runs the preflights.
    func review(_ draft: RequestDraft) async throws -> RequestDraft {
        guard !checks.isEmpty else { return draft }
        var reviewed = draft
        for check in checks {
            try await Stage.run(.preflight, .refused, request: reviewed.bare, wrapping: true) {
                try await check(&reviewed)
            }
        }
        return reviewed
    }
}

extension Resource.Settings {
    /// Hooks that receive each request before it is encoded.
    ///
    /// A hook that throws refuses the request, and nothing is sent.
    ///
    /// All inherited hooks run, the root's first. Default: none.
    public var preflights: SettingList<PreflightCheck> {
        get { self[key: PreflightsKey.self] }
        set { self[key: PreflightsKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/preflights``.
enum PreflightsKey: ListSettingKey, UncomparedSettingKey {
    /// The type of the list's elements.
    typealias Element = PreflightCheck
}
