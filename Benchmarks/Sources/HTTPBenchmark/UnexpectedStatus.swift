// SPDX-License-Identifier: Apache-2.0

import HTTPTypes

/// An answer that isn't a success: the run measures nothing.
struct UnexpectedStatus: Error {
    let status: HTTPResponse.Status
}
