import { type Units } from '../../../contract/money.js';
import { parsedObject } from '../../../json/values.js';
import { type Decoded, type UpstreamReply } from '../../provider.js';
import { type ImageCall } from './image-request.js';
import { charged } from '../charged.js';
import {
  dataIn,
  gaveUp,
  imagesMade,
  type MadeImage,
  mediaTypeAt,
  moderated,
  type Told,
} from './image-result.js';
import { replyObject } from '../reply-object.js';

/** What Black Forest Labs, and who resells it, answers when asked for a result. */
interface BflAnswer {
  readonly request_id?: unknown;
  readonly polling_url?: unknown;
  /** In credits. */
  readonly cost?: unknown;
  readonly status?: unknown;
  readonly result?: { readonly sample?: unknown } | null;
  readonly details?: unknown;
}

/** The answer, if it is one; another reply is for `bflImages` to report. */
export function bflAnswer(reply: UpstreamReply): BflAnswer {
  return parsedObject(reply.bytes.toString()) ?? {};
}

/** Whether the answer says that there is none yet; a word that nobody knows is one of those. */
export function isPending({ status }: BflAnswer): boolean {
  return typeof status === 'string' && !ENDS.has(status);
}

const ENDS = new Set([
  ...['Ready', 'Error', 'Failed', 'Request Moderated', 'Content Moderated', 'Task not found'],
]);

/**
 * The images of finished results.
 *
 * @throws GatewayError 400 for what was moderated, 502 for what failed.
 */
export function bflImages(
  replies: readonly UpstreamReply[],
  call: ImageCall,
  { size, ...told }: Pick<Told, 'kind'> & { readonly size?: string | undefined },
): Decoded<'images'> {
  const answers = replies.map((reply) => replyObject(reply) as BflAnswer);
  const images = answers.map((answer) => imageIn(answer, size));
  // The price is told when the task begins, and again where it turned out otherwise.
  const credits = replies.map(
    ({ begunBy }, index) => answers[index]?.cost ?? (begunBy && bflAnswer(begunBy).cost),
  );
  return imagesMade(call, images, {
    ...told,
    calls: replies.length,
    charged: charged(credits, CREDITS_PER_USD),
  });
}

/** What a task costs by the answer that began it, where that says so. */
export function bflCharged(begun: UpstreamReply): Units | undefined {
  return charged([bflAnswer(begun).cost], CREDITS_PER_USD);
}

/** https://docs.bfl.ai/quick_start/pricing */
const CREDITS_PER_USD = 100n;

function imageIn({ status, result, details }: BflAnswer, size: string | undefined): MadeImage {
  const sample = result?.sample;
  if (status === 'Ready' && typeof sample === 'string' && sample !== '') {
    const inline = dataIn(sample);
    return inline ? { ...inline, size } : { url: sample, size, mediaType: mediaTypeAt(sample) };
  }
  if (status === 'Request Moderated') throw moderated('The request was moderated.');
  if (status === 'Content Moderated') throw moderated('The image was moderated.');
  throw gaveUp(reasonIn(details) ?? status);
}

function reasonIn(details: unknown): string | undefined {
  if (typeof details === 'string') return details;
  if (typeof details !== 'object' || details === null) return undefined;
  const { error, message } = details as { error?: unknown; message?: unknown };
  return [error, message].find((said) => typeof said === 'string');
}
