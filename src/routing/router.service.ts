import { Injectable, Logger } from '@nestjs/common';
import { type Candidate } from '../contract/candidate.js';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { type Attempt } from '../contract/usage-record.js';
import { ROUTER } from '../contract/router.js';
import { membersOf } from '../json/values.js';
import { type Target } from '../providers/provider.js';
import { firstSuccess, isOwnRefusal, refusesThread } from './first-success.js';
import { type Choice, type Need } from './choice.js';
import { Planner } from './planner.js';
import { candidatesOf } from './rank-models.js';
import { type Route, RouteFinder } from './route-finder.js';
import { RoutedTasks } from './routed-tasks.service.js';
import { Sessions } from './sessions.service.js';
import { TrackRecord } from './track-record.js';
import { otherWays } from './worth-trying.js';

/** A call on its way to a model, as far as the router is concerned. */
interface RoutedCall {
  readonly context: RequestContext;
  readonly body: CheckedBody<object>;
  readonly stream: boolean;
  /** Grows with every attempt. */
  readonly attempts: readonly Attempt[];
  /** Settled: it was answered and paid for, so that no other model may be tried. */
  readonly state: { readonly isSettled: boolean };
  /** Where the router notes what it made of each model. */
  candidates?: readonly Candidate[] | undefined;
}

/** Makes the attempt with one model, told which follow. */
type Attempted<R> = (target: Target, following: readonly Target[]) => Promise<R>;

/** Finds the model that answers a conversation: by name, by `fallbacks`, or by `@router`. */
@Injectable()
export class Router {
  private readonly logger = new Logger(Router.name);

  constructor(
    private readonly planner: Planner,
    private readonly finder: RouteFinder,
    private readonly sessions: Sessions,
    private readonly records: TrackRecord,
    private readonly tasks: RoutedTasks,
  ) {}

  /**
   * Makes the attempt with one model after another until one succeeds.
   *
   * @throws GatewayError as `Planner.plan` before any attempt, and then as the last attempt.
   */
  async answer<R>(call: RoutedCall, need: Need, attempt: Attempted<R>): Promise<R> {
    const choice = call.body.value as Choice;
    if (choice.model !== ROUTER) {
      const plan = this.planner.plan(call.context.caller, choice, need);
      return this.firstAnswer(call, plan, attempt);
    }
    const route = await this.finder.find({ ...call, mayExplore: true }, need);
    call.candidates = candidatesOf(route.ranking);
    this.noteTask(route, call);
    const answer = await this.firstAnswer(call, route.plan, attempt).catch((refusal: unknown) => {
      if (!isOwnRefusal(refusal) || isForThreadAlone(choice, refusal)) throw refusal;
      const others = otherWays(route.ranking.ranked, route.plan, need, choice);
      // Where none of the others can be asked such a thing, it is an outage, and no wrong request.
      const left = [...others, ...route.ill];
      if (left.length === 0) throw refusal;
      return this.firstAnswer(call, left, attempt).catch((error: unknown) => {
        throw isOwnRefusal(error) ? refusal : error;
      });
    });
    const served = call.attempts.at(-1)?.model;
    // One of `fallbacks` is none of the candidates that the next request may be kept with.
    const isCandidate = route.ranking.ranked.some(({ model }) => model === served);
    if (route.session !== undefined && served !== undefined && isCandidate) {
      // Nobody waits for it: the answer is there.
      if (route.mayBeKnown) void this.sessions.remember(route.session, served);
      // With its first words another one may be under way.
      else void this.sessions.begin(route.session, served);
    }
    return answer;
  }

  /** What the first model gives that answers; of all that were asked it is noted how they did. */
  private async firstAnswer<R>(
    call: RoutedCall,
    plan: readonly Target[],
    attempt: Attempted<R>,
  ): Promise<R> {
    const { context, attempts, stream, state } = call;
    const choice = call.body.value as Choice;
    const first = { isNamed: choice.model !== ROUTER, beginsThread: beginsThread(choice) };
    // The sandbox's answers to a sandbox key say nothing of the models that it plays.
    if (context.caller.keyType === 'sandbox') return firstSuccess(plan, attempt, state, first);
    const asked: Attempted<R> = (target, following) => {
      this.records.ask(target.model.id);
      return attempt(target, following);
    };
    try {
      return await firstSuccess(plan, asked, state, first);
    } finally {
      // What a caller did not wait for says nothing.
      if (!context.signal.aborted) this.records.note(attempts, stream);
    }
  }

  /** Nobody waits for it but feedback. */
  private noteTask({ shape }: Route, { context: { caller, id } }: RoutedCall): void {
    this.tasks.note(caller.accountId, id, shape.task).catch((error: unknown) => {
      this.logger.warn(`What kind of task ${id} was could not be written: ${String(error)}`);
    });
  }
}

/** Whether the request holds the whole conversation, although it asks for a thread. */
function beginsThread({ thread }: Choice): boolean {
  return membersOf(thread).type === 'create';
}

/** Whether the same request would be taken without the thread that it begins. */
function isForThreadAlone(choice: Choice, refusal: unknown): boolean {
  return beginsThread(choice) && refusesThread(refusal);
}
