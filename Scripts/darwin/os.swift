// SPDX-License-Identifier: Apache-2.0

// Stands in for the unified logging system. The real messages are a type of their own, with less than a string.

public struct Logger: Sendable {
    public init(subsystem: String, category: String) {}
    public func debug(_ message: String) {}
    public func error(_ message: String) {}
}
