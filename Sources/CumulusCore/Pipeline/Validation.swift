// SPDX-License-Identifier: Apache-2.0

/// A hook that sees each response and may refuse it by throwing.
///
/// `response.request.resource` is the resource that the call was made on.
public typealias ResponseValidator = @Sendable (Response) async throws -> Void

/// Stage 4, response -> response, or refused: your own rules.
///
/// The status is checked when a value is requested.
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

extension Resource.Settings {
    /// Hooks that see each response and may refuse it by throwing, which fails with ``CumulusError/Code/validation``.
    ///
    /// If a call asks for a type, they only see successful responses. All inherited ones run, the root's first.
    /// Default: none.
    public var validators: SettingList<ResponseValidator> {
        get { self[key: ValidatorsKey.self] }
        set { self[key: ValidatorsKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/validators``.
enum ValidatorsKey: ListSettingKey, HarmlessSettingKey, UncomparedSettingKey {
    /// The type of the list's elements.
    typealias Element = ResponseValidator
}
