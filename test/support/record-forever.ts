import 'reflect-metadata';
import { writeSync } from 'node:fs';
import { UsageRecorder } from '../../src/billing/usage-recorder.service.js';
import { readConfig } from '../../src/config/read-config.js';
import { Database } from '../../src/database/database.service.js';
import { usageRecord } from './usage-record.js';

/** Records calls without end and prints the id of each one that has been acknowledged. */
const database = new Database(readConfig({ DATA_DIR: process.argv[2] }));
const recorder = new UsageRecorder(database);
await database.onModuleInit();

async function recordForever(lane: number): Promise<never> {
  for (let count = 0; ; count += 1) {
    const requestId = `req-${process.pid}-${lane}-${count}`;
    await recorder.record(usageRecord({ requestId }));
    writeSync(1, `${requestId}\n`);
  }
}
await Promise.all(Array.from({ length: 20 }, (_, lane) => recordForever(lane)));
