// SPDX-License-Identifier: Apache-2.0

/// A hook that receives each response and may refuse it by throwing: a comparison alone refuses nothing.
///
/// `response.request.resource` is the resource on which the call was made.
public typealias ResponseValidator = @Sendable (Response) async throws -> Void

/// Runs the validators, which may refuse a response.
///
/// The status is checked separately, when a value is requested.
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
    /// Hooks that receive each response and may refuse it by throwing, which fails the call with
    /// ``CumulusError/Code/validation``.
    ///
    /// If a call requests a type, they receive only successful responses. All inherited hooks run, the root's first.
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
