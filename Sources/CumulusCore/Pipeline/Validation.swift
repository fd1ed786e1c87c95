// SPDX-License-Identifier: Apache-2.0

/// A hook that sees each response and may refuse it by throwing.
///
/// `response.request.resource` is the resource that the call was made on.
public typealias ResponseValidator = @Sendable (Response) async throws -> Void

/// Stage 4, response -> response, or refused: your own rules.
///
/// The status is judged when a value is asked for.
struct Validation: Sendable {
    let validators: SettingList<ResponseValidator>

    func accept(_ response: Response) async throws -> Response {
        for validator in validators {
            try await Stage.run(.validation, .validation, request: response.request, response: response, wrapping: true)
            {
                try await validator(response)
            }
        }
        return response
    }
}

extension Settings {
    /// Hooks that see each response, and only successful ones where a type is asked for; throwing fails the request with ``CumulusError/Code/validation``.
    ///
    /// All inherited ones run, the root's first. Default: none.
    public var validators: SettingList<ResponseValidator> {
        get { self[ValidatorsKey.self] }
        set { self[ValidatorsKey.self] = newValue }
    }
}

/// The key of ``Settings/validators``.
enum ValidatorsKey: ListSettingKey {
    /// A validator.
    typealias Element = ResponseValidator

    /// It reveals nothing to another origin.
    static var crossesOrigins: Bool { true }

    /// Each caller's run on the answer.
    static var affectsAnswer: Bool { false }

    /// Your own validator may.
    static func mayWait(_ value: SettingList<ResponseValidator>) -> Bool { !value.isEmpty }
}
