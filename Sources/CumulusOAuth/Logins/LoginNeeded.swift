// SPDX-License-Identifier: Apache-2.0

import CumulusCore

/// A renewal can't continue without a person; a login does, which ends when no caller waits for it any more.
struct LoginNeeded: Error {}

/// A login ended because no caller waited for it any more.
struct AbandonedLogin: Error {}
