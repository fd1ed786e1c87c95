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

extension SettingKeys {
    /// Hooks that see each response, and only successful ones where a type is asked for; throwing fails the request with ``CumulusError/Code/validation``.
    ///
    /// All inherited ones run, the root's first. Default: none.
    public var validators: ValidatorsKey.Type { ValidatorsKey.self }
}

/// The key of ``SettingKeys/validators``.
public enum ValidatorsKey: ListSettingKey {
    /// A validator.
    public typealias Element = ResponseValidator

    /// It tells another origin nothing.
    public static var crossesOrigins: Bool { true }

    /// Each caller's run on the answer.
    public static var affectsAnswer: Bool { false }

    /// A validator of yours may.
    public static func mayWait(_ value: SettingList<ResponseValidator>) -> Bool { !value.isEmpty }
}
