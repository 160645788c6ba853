import { type Format } from '../contract/endpoint.js';
import { type Model } from '../contract/model.js';
import { type NeutralMessage, type NeutralRequest } from '../contract/neutral.js';
import { type Usage } from '../contract/usage.js';
import { type Bill, type ServerEvent } from '../providers/provider.js';

/** What a surface may know of the call that it answers. */
export interface SurfaceCall {
  readonly model: Model;
  /** The caller's checked body. Read only. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Our id of the request, for formats that want one made up. */
  readonly id: string;
  /** Unix seconds at which the call began. */
  readonly created: number;
}

/** What a format calls fields and members, by what the neutral shape calls them. */
export interface Names {
  /** By the path of a field the fields that it may have been read from, the usual one first. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  /** Members of the parts that say where they come from. */
  readonly members: ReadonlyMap<string, string>;
}

/**
 * A caller's format: the pure way from its requests to the neutral shape, and back from the neutral
 * shape to its answers. A provider that speaks the same format is relayed, and then neither is used.
 */
export interface Surface {
  readonly format: Format;
  /** Absent where all is called the same. */
  readonly names?: Names;
  /**
   * The request in the neutral shape; `body` has lost what is for the gateway only.
   *
   * @throws GatewayError 400 that names the field which the neutral shape cannot carry.
   */
  read(body: Readonly<Record<string, unknown>>): NeutralRequest;
  /** The answer's body but for `cost` and `provider`; `usage` is our count where there is none. */
  render(message: NeutralMessage, usage: Usage, call: SurfaceCall): object;
  /** Begins a stream; absent where the neutral events are the format's own. */
  writer?(call: SurfaceCall): SurfaceWriter;
}

/** Writes one stream in the caller's format. */
export interface SurfaceWriter {
  /** The end says all of it again, which is kept until then. */
  readonly repeats?: true;
  /** What goes to the caller for an event of the neutral shape; undefined for nothing. */
  write(event: ServerEvent): Buffer | undefined;
  /** The end of the stream, with the bill in it. */
  closing(bill: Bill): Buffer;
}
