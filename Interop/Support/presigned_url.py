# SPDX-License-Identifier: Apache-2.0
"""Says what signature botocore gives a presigned URL of S3, without asking anybody.

Usage: presigned_url.py METHOD URL KEY SECRET
"""

import sys
from urllib.parse import parse_qs, urlsplit

from botocore.auth import S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

method, url, key, secret = sys.argv[1:]
items = parse_qs(urlsplit(url).query)
_, _, region, service, _ = items["X-Amz-Credential"][0].split("/")
request = AWSRequest(method=method, url=url.split("&X-Amz-Signature=")[0], headers={"Host": urlsplit(url).netloc})
request.context["timestamp"] = items["X-Amz-Date"][0]
auth = S3SigV4QueryAuth(Credentials(key, secret), service, region)
print(auth.signature(auth.string_to_sign(request, auth.canonical_request(request)), request))
