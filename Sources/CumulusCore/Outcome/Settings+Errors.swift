// SPDX-License-Identifier: Apache-2.0

extension Resource.Settings {
    /// The statuses that count as success for calls that request a value, and for ``Response/requireSuccess()``.
    ///
    /// The body of such a response is read whole. Default: 200 to 299, without 304. The nearest layer wins.
    public var acceptableStatuses: StatusSet {
        get { self[key: AcceptableStatusesKey.self] }
        set { self[key: AcceptableStatusesKey.self] = newValue }
    }

    /// Decoders that look for a service's own errors in responses of any status, including 200.
    ///
    /// This is a list, since parts of a service may differ. A child's decoders run before its parent's, and the first
    /// one that finds an error wins: the call's error is then ``CumulusError/Code/service``, not
    /// ``CumulusError/Code/status``. Default: none.
    public var errorDecoders: SettingList<ErrorDecoder> {
        get { self[key: ErrorDecodersKey.self] }
        set { self[key: ErrorDecodersKey.self] = newValue }
    }
}

/// The key of ``Resource/Settings/acceptableStatuses``.
enum AcceptableStatusesKey: HarmlessSettingKey {
    /// 200 to 299.
    static var defaultValue: StatusSet { .successful }
}

/// The key of ``Resource/Settings/errorDecoders``.
enum ErrorDecodersKey: ListSettingKey, HarmlessSettingKey {
    /// The type of the list's elements.
    typealias Element = ErrorDecoder

    /// The child's decoders are first.
    static func combine(
        inherited: SettingList<ErrorDecoder>,
        own: SettingList<ErrorDecoder>
    ) -> SettingList<ErrorDecoder> { inherited.combined(with: own, ownFirst: true) }
}
