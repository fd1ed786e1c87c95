// SPDX-License-Identifier: Apache-2.0

/// Works on decoded values: a post-processor with a type of its own, to be kept and combined.
public protocol ResponseProcessor: Sendable {
    /// Makes a value of the last one's, or fails the request by throwing, which stops those after it.
    ///
    /// - Parameters:
    ///   - value: The decoded value, or what the processor before this made of it.
    ///   - response: The response that it came with.
    /// - Returns: The value for the next; in the end it must be of the type that the caller wants.
    /// - Throws: Anything; the request fails with ``CumulusError/Code/postProcessing``.
    func process(_ value: any Sendable, of response: Response) async throws -> any Sendable
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
