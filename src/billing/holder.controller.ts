import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '../contract/caller.js';
import { ApiQueries } from '../http/api-query.js';
import { ApiRoute } from '../http/api-route.js';
import { Context } from '../http/request-context.js';
import { type Holder } from './dto/holder.dto.js';
import { type UsageReport } from './dto/usage-report.dto.js';
import { Holders } from './holder.service.js';
import { filterQueries, GET_ME, GET_USAGE, groupQuery, SPAN_QUERIES } from './usage-docs.js';
import { type FilterName, reportQuery } from './usage-query.js';
import { GROUPS } from './usage-groups.js';
import { UsageReports } from './usage-report.service.js';

const OWN_GROUPS = GROUPS.filter((group) => group !== 'account');
const OWN_FILTERS: readonly FilterName[] = ['key_id', 'model', 'provider'];

/** What a key's holder may know of the account. */
@ApiTags('Account')
@Controller('v3')
export class HolderController {
  constructor(
    private readonly holders: Holders,
    private readonly reports: UsageReports,
  ) {}

  @Get('me')
  @ApiRoute(GET_ME)
  me(@Context() { caller }: RequestContext): Promise<Holder> {
    return this.holders.describe(caller);
  }

  @Get('usage')
  @ApiRoute(GET_USAGE)
  @ApiQueries(filterQueries(OWN_FILTERS))
  @ApiQueries(groupQuery(OWN_GROUPS))
  @ApiQueries(SPAN_QUERIES)
  usage(@Context() { caller }: RequestContext, @Query() query: object): Promise<UsageReport> {
    const asked = reportQuery(query, OWN_GROUPS, OWN_FILTERS);
    const { accountId } = caller;
    return this.reports.report({ ...asked, accountId }, accountId);
  }
}
