# SPDX-License-Identifier: Apache-2.0
"""Makes an account at a moto server that may do anything in S3, and prints its key and secret.

Usage: moto_account.py URL

moto checks signatures once it was asked as often as INITIAL_NO_AUTH_ACTION_COUNT says, which is three times here.
"""

import json
import sys

import boto3

iam = boto3.client(
    "iam", endpoint_url=sys.argv[1], region_name="us-east-1", aws_access_key_id="admin", aws_secret_access_key="admin"
)
policy = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}]}
iam.create_user(UserName="ada")
iam.put_user_policy(UserName="ada", PolicyName="store", PolicyDocument=json.dumps(policy))
key = iam.create_access_key(UserName="ada")["AccessKey"]
print(key["AccessKeyId"], key["SecretAccessKey"])
