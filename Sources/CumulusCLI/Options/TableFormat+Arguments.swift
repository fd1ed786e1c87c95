// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

// Apart from the type, which the fuzz targets build without the parser of arguments.
extension TableFormat: ExpressibleByArgument {}
