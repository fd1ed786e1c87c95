// SPDX-License-Identifier: Apache-2.0

import AppleFoundation

extension BackgroundSessionDelegate: AppleBackgroundDelegate {}
