import { Controller, Get, Param, Query as QueryParameters } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type RequestLogRow } from '../billing/dto/request-log.dto.js';
import { type UsageReport } from '../billing/dto/usage-report.dto.js';
import { filterQueries, groupQuery, SPAN_QUERIES } from '../billing/usage-docs.js';
import { FILTER_NAMES } from '../billing/usage-query.js';
import { GROUPS } from '../billing/usage-groups.js';
import { RequireScope } from '../http/access.js';
import { ApiQueries, PAGE_QUERIES } from '../http/api-query.js';
import { ApiRoute } from '../http/api-route.js';
import { type Page } from '../http/page.js';
import { ReportAdmin } from './report-admin.service.js';
import { GET_REQUEST, LIST_REQUESTS, REPORT_USAGE, REQUEST_QUERIES } from './reports-docs.js';

/** Usage and the request log. */
@ApiTags('Management')
@Controller('v3/admin')
@RequireScope('admin')
export class ReportsController {
  constructor(private readonly reports: ReportAdmin) {}

  @Get('usage')
  @ApiRoute(REPORT_USAGE)
  @ApiQueries(filterQueries(FILTER_NAMES))
  @ApiQueries(groupQuery(GROUPS))
  @ApiQueries(SPAN_QUERIES)
  usage(@QueryParameters() query: object): Promise<UsageReport> {
    return this.reports.usage(query);
  }

  @Get('requests')
  @ApiRoute(LIST_REQUESTS)
  @ApiQueries(REQUEST_QUERIES)
  @ApiQueries(PAGE_QUERIES)
  requests(@QueryParameters() query: object): Promise<Page<RequestLogRow>> {
    return this.reports.requests(query);
  }

  @Get('requests/:request_id')
  @ApiRoute(GET_REQUEST)
  @ApiParam({
    name: 'request_id',
    description: 'The `x-request-id` of its answer.',
    schema: { type: 'string', example: 'req_0f5b1c4e9a7d4f0c8b3e6a2d1c9f7e58' },
  })
  request(@Param('request_id') id: string): Promise<RequestLogRow> {
    return this.reports.request(id);
  }
}
