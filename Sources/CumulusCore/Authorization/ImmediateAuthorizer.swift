// SPDX-License-Identifier: Apache-2.0

/// An authorizer that waits for nothing, so that no task is needed to cancel it by.
protocol ImmediateAuthorizer: Authorizer {}

extension BasicAuthorizer: ImmediateAuthorizer {}
extension BearerAuthorizer: ImmediateAuthorizer {}
