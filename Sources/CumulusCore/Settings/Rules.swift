// SPDX-License-Identifier: Apache-2.0

extension Resource {
    /// The settings of a place, which apply to every resource at or below it.
    ///
    /// They are all ``Settings``, and the limits that the calls at and below a place count against together.
    @dynamicMemberLookup
    public struct Rules: Sendable {
        /// What a single resource may override, too.
        public var settings: Settings

        /// A setting, by name.
        public subscript<Value>(dynamicMember setting: WritableKeyPath<Settings, Value>) -> Value {
            get { settings[keyPath: setting] }
            set { settings[keyPath: setting] = newValue }
        }

        /// Removes the place's own value of a setting, so that it inherits again.
        public mutating func inherit<Value>(_ setting: WritableKeyPath<Rules, Value>) {
            for key in Settings.keys(of: setting) { settings.inherit(key) }
        }
    }
}
