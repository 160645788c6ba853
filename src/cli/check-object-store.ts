import { AwsV4Signer } from 'aws4fetch';
import { type Dispatcher, request } from 'undici';
import { type ObjectStore } from '../config/config.js';
import { failed, ok, skipped, type CheckResult } from './finding.js';
import { plainReason } from './plain-reason.js';

/**
 * Whether the bucket is there and lets us in, by HeadBucket, and where it does not why, by
 * ListObjectsV2. https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html
 */
export async function checkObjectStore(store: ObjectStore | undefined): Promise<CheckResult> {
  if (!store) return skipped('not configured');
  const { bucket, endpoint, region } = store;
  try {
    const head = await ask(store, 'HEAD', '');
    await head.body.dump();
    const { statusCode: status, headers } = head;
    if (status === 200) return ok(`bucket ${bucket} at ${endpoint.host}`);
    const list = await ask(store, 'GET', '?list-type=2&max-keys=1');
    const [, code] = /<Code>(\w{1,100})<\/Code>/.exec(await list.body.text()) ?? [];
    const answer = code === undefined ? `${status}` : `${status}, ${code}`;
    if (status === 404) return failed(`S3_BUCKET: there is no bucket ${bucket} (${answer})`);
    const theirs = headers['x-amz-bucket-region'];
    if (typeof theirs === 'string' && theirs !== region) {
      return failed(`S3_REGION: the bucket ${bucket} is in another region (${answer})`, theirs);
    }
    if (code === 'InvalidAccessKeyId') return failed(`S3_ACCESS_KEY_ID is not known (${answer})`);
    if (code === 'SignatureDoesNotMatch')
      return failed(`S3_SECRET_ACCESS_KEY is wrong (${answer})`);
    if (status === 401 || status === 403) {
      return failed(`the keys of S3 were refused for the bucket ${bucket} (${answer})`);
    }
    return failed(`S3_ENDPOINT ${endpoint.host} did not answer as a store does (${answer})`);
  } catch (error) {
    const reason = isTimeout(error) ? `no answer within ${PATIENCE_S} s` : plainReason(error);
    return failed(`S3_ENDPOINT ${endpoint.host} cannot be used`, reason);
  }
}

const PATIENCE_S = 10;

async function ask(
  store: ObjectStore,
  method: 'HEAD' | 'GET',
  query: string,
): Promise<Dispatcher.ResponseData> {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = store;
  const url = `${endpoint.href.replace(/\/$/, '')}/${bucket}${query}`;
  const keys = { accessKeyId, secretAccessKey, region, service: 's3' };
  const signed = await new AwsV4Signer({ method, url, ...keys }).sign();
  return request(signed.url, {
    method,
    headers: Object.fromEntries(signed.headers),
    signal: AbortSignal.timeout(PATIENCE_S * 1_000),
  });
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
