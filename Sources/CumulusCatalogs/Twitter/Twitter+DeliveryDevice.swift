// SPDX-License-Identifier: Apache-2.0

extension Twitter {
    /// Where notifications go.
    public enum DeliveryDevice: String, Sendable, Hashable, CaseIterable {
        /// To a telephone.
        case textMessage = "sms"
        /// To an instant messenger.
        case instantMessenger = "im"
        /// Nowhere.
        case none
    }
}
