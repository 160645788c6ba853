import { describe, expect, it } from '@jest/globals';
import { usageRecord } from '../../test/support/usage-record.js';
import { requestRow } from './request-row.js';

const metadataOf = (metadata: Record<string, unknown>) =>
  requestRow(usageRecord({ metadata }), 'call').metadata!;

describe('requestRow', () => {
  it('has our id of the call, and the caller’s', () => {
    const row = requestRow(usageRecord({ requestId: 'theirs' }), 'ours');
    expect(row).toMatchObject({ id: 'ours', request_id: 'theirs' });
  });

  it('keeps metadata that is small as it is', () => {
    const metadata = { a: 'x', b: 1, c: [true, null], d: { e: '…' }, long: 'x'.repeat(7000) };
    expect(JSON.parse(metadataOf(metadata))).toEqual(metadata);
  });

  it('keeps 16 keys', () => {
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, 1]));
    expect(Object.keys(JSON.parse(metadataOf(metadata)) as object)).toEqual(
      Array.from({ length: 16 }, (_, index) => `k${index}`),
    );
  });

  it.each([
    ['a long text', { a: 'x'.repeat(100_000), b: 'short' }],
    ['wide characters', { a: '😀'.repeat(10_000), b: 'short' }],
    ['characters that JSON writes long', { a: '\u0001'.repeat(10_000), b: 'short' }],
    ['a long key', { ['k'.repeat(100_000)]: 'value', b: 'short' }],
    ['a large object', { a: Array.from({ length: 10_000 }, (_, index) => index), b: 'short' }],
  ])('cuts %s to 8 kB and marks it', (_, metadata) => {
    const text = metadataOf(metadata);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_192);
    expect(text).toContain('…"');
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain('\\ud');
    expect(JSON.parse(text)).toMatchObject({ b: 'short' });
  });

  it('goes through no more of what is long than it keeps', () => {
    let asked = 0;
    const rows = Array.from({ length: 100_000 }, () => ({
      get name() {
        asked += 1;
        return 'row';
      },
    }));
    expect(metadataOf({ a: rows, b: 'short' })).toMatch(/^\{"a":"\[\{.*…","b":"short"\}$/);
    expect(asked).toBeLessThan(10_000);
  });

  it('gives every one of many long values its share', () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 16 }, (_, index) => [`key${index}`, `${index}`.repeat(9_000)]),
    );
    const text = metadataOf(metadata);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_192);
    expect(Buffer.byteLength(text)).toBeGreaterThan(8_000);
    for (const [index, value] of Object.values(JSON.parse(text) as object).entries()) {
      expect(value).toMatch(new RegExp(`^(${index})+\\d?…$`));
    }
  });

  it('keeps keys that are special to JavaScript', () => {
    const metadata = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, unknown>;
    expect(metadataOf(metadata)).toBe('{"__proto__":"a","constructor":"b"}');
  });

  it('cuts a long user and a long model name', () => {
    const { user, requested_model } = requestRow(
      usageRecord({ user: 'u'.repeat(50_000), requestedModel: 'm'.repeat(50_000) }),
      'call',
    );
    expect(user).toMatch(/^u{8000,}…$/);
    expect(requested_model).toMatch(/^m{500,}…$/);
  });
});
