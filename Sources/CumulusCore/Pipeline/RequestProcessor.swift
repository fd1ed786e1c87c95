// SPDX-License-Identifier: Apache-2.0

/// Works on requests before they are encoded: a preflight with a type of its own, to be kept and combined.
public protocol RequestProcessor: Sendable {
    /// Changes a request, or refuses it by throwing, which stops those after it.
    ///
    /// - Parameter request: The request before it is encoded.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/refused``.
    func process(_ request: inout RequestDraft) async throws
}

extension SettingList where Element == PreflightCheck {
    /// Processors in their order, for ``SettingKeys/preflights``: `site.preflights = .processors(Stamping(), Signing())`.
    ///
    /// They come after the inherited ones; `.replacing(.processors(...))` takes their place.
    public static func processors(_ processors: any RequestProcessor...) -> SettingList {
        SettingList(processors.map { processor in { draft in try await processor.process(&draft) } })
    }
}
