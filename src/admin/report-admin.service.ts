import { Injectable } from '@nestjs/common';
import { type RequestLogRow } from '../billing/dto/request-log.dto.js';
import { type UsageReport } from '../billing/dto/usage-report.dto.js';
import { RequestLogs } from '../billing/request-log.service.js';
import { FILTER_NAMES, filterOf, reportQuery } from '../billing/usage-query.js';
import { GROUPS } from '../billing/usage-groups.js';
import { UsageReports } from '../billing/usage-report.service.js';
import { OUTCOMES } from '../contract/usage-record.js';
import { type Page } from '../http/page.js';
import { Query } from '../http/query.js';
import { missing } from './settings.js';

/** Shows what every account used. */
@Injectable()
export class ReportAdmin {
  constructor(
    private readonly reports: UsageReports,
    private readonly logs: RequestLogs,
  ) {}

  /** @throws GatewayError 400 for a query that is wrong. */
  usage(query: object): Promise<UsageReport> {
    return this.reports.report(reportQuery(query, GROUPS, FILTER_NAMES));
  }

  /** @throws GatewayError 400 for a query that is wrong. */
  requests(query: object): Promise<Page<RequestLogRow>> {
    const read = new Query(query, PARAMETERS);
    const filter = {
      ...filterOf(read),
      outcome: read.oneOf('outcome', OUTCOMES),
      user: read.text('user'),
    };
    return this.logs.list(filter, read.page());
  }

  /** @throws GatewayError 404 for an unknown request. */
  async request(id: string): Promise<RequestLogRow> {
    const row = REQUEST_ID.test(id) ? await this.logs.find(id) : undefined;
    if (row) return row;
    throw missing('request', id);
  }
}

const PARAMETERS = [...FILTER_NAMES, 'outcome', 'user', 'from', 'to', 'limit', 'cursor'];
const REQUEST_ID = /^[A-Za-z0-9_-]{1,128}$/;
