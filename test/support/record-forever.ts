import 'reflect-metadata';
import { writeSync } from 'node:fs';
import { risingId } from '../../src/billing/rising-id.js';
import { callerOf, makeBookkeeper } from './bookkeeper.js';
import { usageRecord } from './usage-record.js';

/** Records calls without end and prints the id of each one that has been acknowledged. */
const { database, charges } = makeBookkeeper({ DATA_DIR: process.argv[2] ?? '' });
await database.onModuleInit();
const caller = callerOf('acc_1', { limited: false });

async function recordForever(lane: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const requestId = `req-${process.pid}-${lane}-${count}`;
    const charged = { id: risingId(), caller, requestId, hold: undefined };
    await charges.settle(charged, usageRecord({ requestId }));
    writeSync(1, `${requestId}\n`);
  }
}
await Promise.all(Array.from({ length: 20 }, (_, lane) => recordForever(lane)));
