// SPDX-License-Identifier: Apache-2.0

/// A client under measurement.
public protocol Client: Sendable {
    /// Sends one request and takes its answer, as the workload says.
    ///
    /// - Returns: How many bytes of content went over the wire.
    func run(_ workload: Workload) async throws -> Int
}
