// SPDX-License-Identifier: Apache-2.0

/// What only one request may make at a time: a restarted one waits until the last has let go of it.
protocol ExclusiveOutput {}
