import { Global, Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { AnswerWriter } from './answer-writer.js';
import { GatewayErrorFilter } from './gateway-error.filter.js';
import { Listeners } from './listeners.js';
import { RouteTable } from './route-table.js';
import { RunningRequests } from './running-requests.js';

/** The edge that every feature shares. */
@Global()
@Module({
  providers: [
    AnswerWriter,
    Listeners,
    RouteTable,
    RunningRequests,
    { provide: APP_FILTER, useClass: GatewayErrorFilter },
  ],
  exports: [AnswerWriter, RouteTable, RunningRequests],
})
export class HttpModule {}
