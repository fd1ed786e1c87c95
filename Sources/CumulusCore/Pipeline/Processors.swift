// SPDX-License-Identifier: Apache-2.0

/// Works on requests before they are encoded: a preflight with a type of its own, to be kept and combined.
public protocol RequestProcessor: Sendable {
    /// Changes a request, or refuses it by throwing, which stops those after it.
    func process(_ request: inout RequestDraft) async throws
}

/// Works on decoded values: a post-processor with a type of its own, to be kept and combined.
public protocol ResponseProcessor: Sendable {
    /// Makes a value of the last one's, or fails the request by throwing, which stops those after it.
    ///
    /// - Parameters:
    ///   - value: The decoded value, or what the processor before this made of it.
    ///   - response: The response that it came with.
    /// - Returns: The value for the next; in the end it must be of the type that the caller wants.
    func process(_ value: any Sendable, of response: Response) async throws -> any Sendable
}

extension SettingList where Element == PreflightCheck {
    /// Processors in their order, for ``SettingKeys/preflights``: `site.preflights = .processors(Stamping(), Signing())`.
    ///
    /// They come after the inherited ones; `.replacing(.processors(...))` takes their place.
    public static func processors(_ processors: any RequestProcessor...) -> SettingList {
        SettingList(processors.map { processor in { draft in try await processor.process(&draft) } })
    }
}

extension SettingList where Element == PostProcessor {
    /// Processors in their order, for ``SettingKeys/postProcessors``.
    ///
    /// They come after the inherited ones; `.replacing(.processors(...))` takes their place.
    public static func processors(_ processors: any ResponseProcessor...) -> SettingList {
        SettingList(
            processors.map { processor in { value, response in try await processor.process(value, of: response) } }
        )
    }
}
