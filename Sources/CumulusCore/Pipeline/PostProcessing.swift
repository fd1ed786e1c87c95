// SPDX-License-Identifier: Apache-2.0

/// A hook that receives each decoded value with its response, and may replace it with a new value of the same type.
///
/// Use ``Call/map(_:)`` for values of a different type. `response.request.resource` is the resource on which the call
/// was made. A method of your own type also works.
public typealias PostProcessor = @Sendable (any Sendable, Response) async throws -> any Sendable

/// Runs the post-processors off the caller's actor, in a chain: the root's first, and each receives the previous one's
/// value.
struct PostProcessing: Sendable {
    let processors: SettingList<PostProcessor>

    func finish<Value: Sendable>(_ value: Value, of response: Response) async throws -> Value {
        processors.isEmpty ? value : try await convert(value, of: response)
    }

    /// The result of the chain for a value, which may have another type.
    @concurrent
    func convert<Output: Sendable>(_ value: some Sendable, of response: Response) async throws -> Output {
        var current: any Sendable = value
        for processor in processors {
            current = try await Stage.run(.postProcessing, .postProcessing, request: response.request, wrapping: true) {
                try await processor(current, response)
            }
        }
        guard let result = current as? Output else {
            throw CumulusError(
                .postProcessing,
                stage: .postProcessing,
                "a post-processor returned \(type(of: current)), but the caller expects \(Output.self)",
                request: response.request,
                response: response
            )
        }
        return result
    }
}

extension Resource.Settings {
    /// Hooks that may change decoded values; they run off the caller's actor.
    ///
    /// All inherited hooks run in a chain, the root's first. Default: none.
    public var postProcessors: SettingList<PostProcessor> {
        get { self[key: PostProcessorsKey.self] }
        set { self[key: PostProcessorsKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/postProcessors``.
enum PostProcessorsKey: ListSettingKey, HarmlessSettingKey, UncomparedSettingKey {
    /// The type of the list's elements.
    typealias Element = PostProcessor
}
