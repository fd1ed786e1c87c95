// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

extension HTTPFields {
    /// A field by a name written in a test.
    subscript(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
}
