import { Agent, request as httpRequest } from 'node:http';
import { ApiKeys } from '../../src/accounts/api-keys.service.js';
import { Ledger } from '../../src/billing/ledger.service.js';
import { type SpendLimit } from '../../src/contract/caller.js';
import { Database } from '../../src/database/database.service.js';
import { type RunningGateway } from './gateway.js';

/** An account with so much credit, in units; without an amount it has no limit. */
export interface FundedAccount {
  readonly id: string;
  /** A key of the account. */
  readonly key: string;
}

let count = 0;

/** Makes an account and a key of it. */
export async function fundedAccount(
  { app }: Pick<RunningGateway, 'app'>,
  credit?: bigint,
  spendLimit?: SpendLimit,
): Promise<FundedAccount> {
  count += 1;
  const id = `acc_${process.pid}_${count}`;
  const key = await app.get(Database).write(async (transaction) => {
    await transaction
      .insertInto('accounts')
      .values({ id, name: id, disabled: false, created_at: 1 })
      .execute();
    if (credit !== undefined) await app.get(Ledger).setLimited(transaction, id, credit);
    return app.get(ApiKeys).create(transaction, {
      ...{ accountId: id, name: 'test', type: 'live', scopes: ['inference'] },
      ...(spendLimit && { spendLimit }),
    });
  });
  return { id, key };
}

export interface Reply {
  readonly status: number;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Sends one request; rejects when the gateway does not answer to the end. */
export function send(
  url: string,
  { path, key, body, id }: { path: string; key: string; body: object; id?: string },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url + path, {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(id !== undefined && { 'x-request-id': id }),
      },
    });
    request.on('error', reject);
    request.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('error', reject);
      response.on('close', () => {
        if (response.complete) resolve({ status: response.statusCode ?? 0, text });
        else reject(new Error('the answer broke off'));
      });
    });
    request.end(JSON.stringify(body));
  });
}

/** How many of the replies have which status. */
export function countStatuses(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
