# SPDX-License-Identifier: Apache-2.0
"""urllib3 against a server that fails by chance; compare_faults.py calls it: URL COUNT IN-FLIGHT SETTING.

The setting is a `Retry(...)`.
"""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import urllib3

METHODS = ["GET", "GET", "GET", "GET", "GET", "GET", "PUT", "DELETE", "POST", "POST"]


def main():
    url, count, in_flight, setting = sys.argv[1], *map(int, sys.argv[2:4]), sys.argv[4]
    client = urllib3.PoolManager(maxsize=in_flight, retries=eval(setting, {"Retry": urllib3.Retry}))

    def call(number):
        method = METHODS[number % len(METHODS)]
        body = b"1" if method in ("PUT", "POST") else None
        try:
            response = client.request(method, url, headers={"X-Call": str(number)}, body=body)
        except urllib3.exceptions.HTTPError:
            return False
        return response.status == 200 and len(response.data) == 100

    result = {"idempotent": 0, "posts": 0, "failures": {}}
    with ThreadPoolExecutor(in_flight) as threads:
        for number, succeeded in enumerate(threads.map(call, range(count))):
            result["posts" if METHODS[number % len(METHODS)] == "POST" else "idempotent"] += succeeded
    print(json.dumps(result))


main()
