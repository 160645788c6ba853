import { Inject, Injectable, Logger } from '@nestjs/common';
import { type ServerResponse } from 'node:http';
import { CONFIG, type Config } from '../config/config.js';
import { mostConnections, tooFewFiles } from '../http/most-connections.js';
import { RunningRequests } from '../http/running-requests.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { isCall } from './is-call.js';
import { Shares } from './shares.js';

/**
 * The last of the connections are for accounts that hold none yet, or no more than they leave free: so they can
 * begin when others' long streams hold the rest.
 */
const PART_FOR_OTHERS = 1 / 4;

/**
 * The requests of known callers that may run at once, each on a connection, and each account's part of them.
 */
@Injectable()
export class ConnectionBudget {
  private readonly shares = new Shares();
  private readonly most: number;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly requests: RunningRequests,
    private readonly metrics: Metrics,
  ) {
    this.most = mostConnections(config);
    const warning = tooFewFiles(config);
    if (warning !== undefined) new Logger(ConnectionBudget.name).warn(warning);
  }

  /**
   * Takes a connection for a request until that is over, unless there is none left: then a call is counted as
   * shed, and what is soon answered goes on, on a connection that may be closed for another one.
   *
   * @returns whether the request may go on.
   */
  take(account: string, response: ServerResponse): boolean {
    const { most, shares } = this;
    const kept = shares.exceedsRest(account, 1, most) ? PART_FOR_OTHERS : 0;
    if (shares.total + 1 <= most * (1 - kept)) {
      this.hold(account, response);
      return true;
    }
    if (!isCall(response.req)) return true;
    this.metrics.shed('connections');
    return false;
  }

  /** Counts the connection of a request that is answered in any case. */
  hold(account: string, response: ServerResponse): void {
    this.shares.add(account, 1);
    response.once('close', () => {
      this.shares.add(account, -1);
    });
    this.requests.keep(response);
  }
}
