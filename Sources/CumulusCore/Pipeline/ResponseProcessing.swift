// SPDX-License-Identifier: Apache-2.0

/// A hook that sees each response before it is judged and decoded, and may put another in its place.
///
/// `response.request.resource` is the resource that the call was made on. A method of your own type can be one, too.
public typealias ResponseProcessor = @Sendable (Response) async throws -> Response

/// Stage 3i, response -> response: a chain, the root's first, off the caller's actor.
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

extension Settings {
    /// Hooks that may put another response in the place of the one that came: decrypted, or without a prefix.
    ///
    /// Each call runs them whatever the status is and whatever it asks for, before the status is judged; what they
    /// throw fails it with ``CumulusError/Code/validation``. Bodies that are read as they arrive, and downloads, never
    /// pass here. All inherited ones run in a chain, the root's first. Default: none.
    public var responseProcessors: SettingList<ResponseProcessor> {
        get { self[ResponseProcessorsKey.self] }
        set { self[ResponseProcessorsKey.self] = newValue }
    }
}

/// The key of ``Settings/responseProcessors``.
enum ResponseProcessorsKey: ListSettingKey {
    /// A response processor.
    typealias Element = ResponseProcessor

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }

    /// Each caller's run on the answer.
    static var affectsAnswer: Bool { false }

    /// Your own processor may.
    static func mayWait(_ value: SettingList<ResponseProcessor>) -> Bool { !value.isEmpty }
}
