// SPDX-License-Identifier: Apache-2.0
// Nothing to call: to be linked is enough (see limit.c).
