import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { GatewayError } from '../contract/gateway-error.js';
import { isKeyRefused } from '../upstream/refused-key.js';
import { Retries } from '../upstream/retries.js';
import { isLacked } from '../upstream/spared-endpoints.js';
import { verdictOf } from '../upstream/verdict.js';
import { failureOf, naming, secondsOf } from './upstream-failure.js';

describe('secondsOf', () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ['nothing', {}, undefined],
    ['seconds', { 'retry-after': '7' }, 7],
    ['a part of a second', { 'retry-after': '0.2' }, 1],
    ['milliseconds, which are more exact', { 'retry-after-ms': '250', 'retry-after': '1' }, 0.25],
    ['milliseconds that are no number', { 'retry-after-ms': 'soon', 'retry-after': '3' }, 3],
    ['seconds twice', { 'retry-after': '2, 2' }, 2],
    ['two numbers', { 'retry-after': '2,5' }, 5],
    ['more than a day', { 'retry-after': '1000000' }, 86_400],
    ['milliseconds of more than a day', { 'retry-after-ms': '100000000' }, 86_400],
    ['a date of the past', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 1],
    [
      'a date of the past twice',
      { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT, Wed, 21 Oct 2015 07:28:00 GMT' },
      1,
    ],
    ['no date', { 'retry-after': 'May 5' }, undefined],
    [
      'a date beside what is none',
      { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT, soon' },
      undefined,
    ],
    ['a number that cannot be', { 'retry-after': '-5' }, undefined],
  ])('reads %s', (_, headers, seconds) => {
    expect(secondsOf(headers)).toBe(seconds);
  });

  it('reads a date', () => {
    const [soon, later] = [0, 600_000].map((ms) => new Date(Date.now() + ms).toUTCString());
    const seconds = secondsOf({ 'retry-after': `${soon}, ${later}, ${soon}` });
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThan(601);
  });
});

describe('secondsOf a date in each form of HTTP', () => {
  // https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
  it.each([
    ['IMF-fixdate', 'Sun, 06 Nov 2044 08:49:37 GMT'],
    ['RFC 850', 'Sunday, 06-Nov-44 08:49:37 GMT'],
    ['asctime', 'Sun Nov  6 08:49:37 2044'],
  ])('is in UTC (%s)', (_, date) => {
    const script = `
      const { secondsOf } = await import('./src/dispatch/upstream-failure.ts');
      Date.now = () => Date.UTC(2044, 10, 6, 8, 49, 7);
      process.stdout.write(String(secondsOf({ 'retry-after': ${JSON.stringify(date)} })));`;
    const args = ['--import', './test/support/typescript.mjs', '--input-type=module', '-e', script];
    const env = { ...process.env, TZ: 'Asia/Tokyo' };
    expect(execFileSync(process.execPath, args, { env, encoding: 'utf8' })).toBe('30');
  });
});

describe('failureOf', () => {
  const waitAfter = (status: number, headers: Record<string, string>) =>
    new Retries({ firstByteMs: 60_000, totalMs: 60_000 }, () => 0.5).waitBefore(
      failureOf('p', { status, headers }, undefined),
      0,
      'p',
      { elapsedMs: 0 },
    );

  it.each([
    ['what the body says', {}, 34.4, 34.4],
    ['what a header says before that', { 'retry-after': '2' }, 34.4, 2],
    ['a day at most', {}, 1e9, 86_400],
  ])('tells how long to wait: %s', (_, headers, retryAfter, seconds) => {
    const failure = failureOf('p', { status: 429, headers }, { message: 'No.', retryAfter });
    expect(failure.details.retryAfter).toBe(seconds);
  });

  it('is a failure of the model where that is what has failed, and a refusal where it refused', () => {
    const failed = failureOf('p', { status: 424, headers: {} }, { message: 'No.' });
    expect([failed.status, verdictOf(failed)]).toEqual([502, 'fails']);
    expect(failed.details.upstream?.status).toBe(424);
    expect(failed.message).toBe('The provider p failed with status 424.');
    const said = { message: 'No.', isRefusal: true };
    const refused = failureOf('p', { status: 424, headers: {} }, said);
    expect([refused.status, verdictOf(refused)]).toEqual([400, 'refuses']);
  });

  it('is no word against a key whose project has no right to the model', () => {
    const said = { message: 'Project `proj_1` does not …', code: 'model_not_found' };
    const failure = failureOf('p', { status: 403, headers: {} }, said);
    expect([failure.status, isLacked(failure), isKeyRefused(failure)]).toEqual([502, true, false]);
    expect(failure.message).not.toContain('proj_1');
  });

  it.each([429, 503, 529])('leaves the wait to chance where %i names none', async (status) => {
    expect(await waitAfter(status, {})).toBe(125);
    expect(await waitAfter(status, { 'retry-after': '2' })).toBe(2_125);
    expect(await waitAfter(status, { 'retry-after-ms': '1500', 'retry-after': '2' })).toBe(1_625);
  });

  it.each([429, 503, 529])(
    'waits for nothing where %i says that it will fail again',
    async (status) => {
      expect(
        await waitAfter(status, { 'x-should-retry': 'false', 'retry-after': '2' }),
      ).toBeUndefined();
      expect(await waitAfter(status, { 'x-should-retry': 'true' })).toBe(125);
    },
  );
});

describe('naming', () => {
  const failure = (message: string, status: number) =>
    new GatewayError(502, 'upstream_error', message, { upstream: { status, unsent: true } });
  const messageOf = (message: string, status = 0) => {
    const named = naming('openai', failure(message, status)) as GatewayError;
    expect(named).toMatchObject({ status: 502, details: { upstream: { status, unsent: true } } });
    return named.message;
  };

  it.each([
    ['The provider did not answer in time.', 'The provider openai did not answer in time.'],
    ['The provider failed: Out of order', 'The provider openai failed: Out of order'],
    ['The connection to the provider failed.', 'The connection to the provider openai failed.'],
  ])('says whose failure it is: %s', (message, named) => {
    expect(messageOf(message)).toBe(named);
    expect(messageOf(named)).toBe(named);
    expect(messageOf(message, 200)).toBe(named);
  });

  it('leaves what a provider has said, and what speaks of none', () => {
    expect(messageOf('The provider is out of credits.', 400)).toBe(
      'The provider is out of credits.',
    );
    expect(messageOf('Out of order')).toBe('Out of order');
    const own = new GatewayError(404, 'not_found', 'The provider is not there.');
    expect(naming('openai', own)).toBe(own);
  });
});
