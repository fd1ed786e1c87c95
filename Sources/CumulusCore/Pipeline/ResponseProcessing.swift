// SPDX-License-Identifier: Apache-2.0

/// A hook that receives each response before it is validated and decoded, and may replace it.
///
/// `response.request.resource` is the resource on which the call was made. A method of your own type also works.
public typealias ResponseProcessor = @Sendable (Response) async throws -> Response

/// Runs the response processors off the caller's actor, in a chain, the root's first.
struct ResponseProcessing: Sendable {
    let processors: SettingList<ResponseProcessor>

    @concurrent
    func process(_ response: Response) async throws -> Response {
        var current = response
        for processor in processors {
            let seen = current
            current = try await Stage.run(
                .validation,
                .validation,
                request: seen.request,
                response: seen,
                wrapping: true
            ) { try await processor(seen) }
        }
        return current
    }
}

extension Resource.Settings {
    /// Hooks that may replace the received response, for example with a decrypted one, or one without a prefix.
    ///
    /// Each call runs them, for any status and any requested type, before the status is checked. If one throws, the
    /// call fails with ``CumulusError/Code/validation``. They don't run for bodies that are read as they arrive, or for
    /// downloads. All inherited hooks run in a chain, the root's first. Default: none.
    public var responseProcessors: SettingList<ResponseProcessor> {
        get { self[key: ResponseProcessorsKey.self] }
        set { self[key: ResponseProcessorsKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/responseProcessors``.
enum ResponseProcessorsKey: ListSettingKey, HarmlessSettingKey, UncomparedSettingKey {
    /// The type of the list's elements.
    typealias Element = ResponseProcessor
}
