// SPDX-License-Identifier: Apache-2.0

extension Twitter {
    /// The device that gets notifications.
    public enum DeliveryDevice: String, Sendable, Hashable, CaseIterable {
        /// A telephone.
        case textMessage = "sms"
        /// An instant messenger.
        case instantMessenger = "im"
        /// No device.
        case none
    }
}
