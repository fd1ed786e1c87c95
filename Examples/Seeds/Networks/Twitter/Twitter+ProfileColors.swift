// SPDX-License-Identifier: Apache-2.0

import Cumulus
import CumulusServices

extension Twitter {
    /// The colors of a profile; `nil` leaves a color unchanged.
    public struct ProfileColors: Sendable, Hashable {
        /// Red, green and blue, sent as `#rrggbb`; a literal has two hexadecimal digits of each: `0x1F98C7`.
        public struct Color: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
            /// The red component.
            public var red: UInt8
            /// The green component.
            public var green: UInt8
            /// The blue component.
            public var blue: UInt8

            /// Creates a color.
            public init(red: UInt8, green: UInt8, blue: UInt8) {
                (self.red, self.green, self.blue) = (red, green, blue)
            }

            /// Creates a color from the lowest three bytes.
            public init(integerLiteral value: UInt32) {
                self.init(
                    red: UInt8(truncatingIfNeeded: value >> 16),
                    green: UInt8(truncatingIfNeeded: value >> 8),
                    blue: UInt8(truncatingIfNeeded: value)
                )
            }

            /// `#1f98c7`.
            public var description: String {
                "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
        }

        /// The background.
        public var background: Color?
        /// The text.
        public var text: Color?
        /// The links.
        public var link: Color?
        /// The sidebar.
        public var sidebarFill: Color?
        /// The sidebar's border.
        public var sidebarBorder: Color?

        /// Creates a set of colors.
        public init(
            background: Color? = nil,
            text: Color? = nil,
            link: Color? = nil,
            sidebarFill: Color? = nil,
            sidebarBorder: Color? = nil
        ) {
            self.background = background
            self.text = text
            self.link = link
            self.sidebarFill = sidebarFill
            self.sidebarBorder = sidebarBorder
        }

        /// The parameters for the colors.
        var arguments: EndpointArguments {
            [
                "profileBackgroundColor": background?.description, "profileTextColor": text?.description,
                "profileLinkColor": link?.description, "profileSidebarFillColor": sidebarFill?.description,
                "profileSidebarBorderColor": sidebarBorder?.description,
            ]
        }
    }
}
