// SPDX-License-Identifier: Apache-2.0

package import CumulusCore

/// Thrown where a call succeeds that must fail.
private struct NoFailure: Error {}

/// The error that a call must end with.
package func failure<Result>(of call: () async throws -> Result) async throws -> CumulusError {
    do {
        _ = try await call()
    } catch let error as CumulusError {
        return error
    }
    throw NoFailure()
}
