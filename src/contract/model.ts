import { type Endpoint } from './endpoint.js';
import { type Units } from './money.js';

/** A region by its code, such as `eu`, and by its English name. */
export interface Region {
  readonly code: string;
  readonly name: string;
}

/** Prices in units of 10^-12 USD. An absent rate means that nothing is charged for that count. */
export interface Rates {
  readonly inputPerToken?: Units;
  readonly outputPerToken?: Units;
  readonly cacheReadPerToken?: Units;
  readonly cacheWritePerToken?: Units;
  readonly cacheWrite1hPerToken?: Units;
  readonly inputPerImageToken?: Units;
  readonly cachedInputPerImageToken?: Units;
  readonly outputPerImageToken?: Units;
  readonly inputPerAudioToken?: Units;
  readonly cachedInputPerAudioToken?: Units;
  /** One price, or a price by `size/quality` such as `1024x1024/hd`. */
  readonly perImage?: Units | Readonly<Record<string, Units>>;
  /** Of a source image, or of a begun megapixel of it: see `Usage.sourceImages`. */
  readonly perSourceImage?: Units;
  readonly perRequest?: Units;
  readonly perWebSearch?: Units;
  readonly perFileSearch?: Units;
  /** Of the memory of a container that a tool works on: see `Usage.containerGigabytes`. */
  readonly perContainerGigabyte?: Units;
}

/** A model's rates; a tier replaces them for a call whose input is longer than its bound. */
export interface Pricing extends Rates {
  /**
   * A list price: where the provider says itself what a call costs, that is what it costs; of a conversation
   * where that is more.
   */
  readonly isReported?: boolean;
  /** By how many percent the tokens cost more in a tier of service, or less, by its name in the answer. */
  readonly serviceTiers?: Readonly<Record<string, number>>;
  readonly tiers?: readonly (Rates & { readonly aboveInputTokens: number })[];
}

/** What a model can do, in the wire's own names (`GET /v3/models`). A missing key is "cannot". */
export interface Capabilities {
  readonly input_modalities?: readonly string[];
  readonly output_modalities?: readonly string[];
  readonly supports_reasoning?: boolean;
  readonly supports_web_search?: boolean;
  readonly supports_tool_choice?: boolean;
  readonly supports_computer_use?: boolean;
  readonly supports_prompt_caching?: boolean;
  readonly supports_response_schema?: boolean;
  readonly supports_system_messages?: boolean;
  readonly supports_function_calling?: boolean;
  readonly supports_native_streaming?: boolean;
  readonly supports_assistant_prefill?: boolean;
  readonly supports_embedding_image_input?: boolean;
  readonly supports_parallel_function_calling?: boolean;
  readonly supports_dimensions?: boolean;
  /** The provider cannot shorten the model's vectors, but they bear it: it is done here. */
  readonly dimensions_by_truncation?: boolean;
  /** Inputs that the provider takes in one embeddings call. */
  readonly max_input_items?: number;
  /** Length of the full embedding vector. */
  readonly dimensions?: number;
  /** Images that the provider makes in one call. */
  readonly max_images?: number;
  /** It changes images; shown in the lists, where it follows from the endpoints. */
  readonly edits?: boolean;
  /** The sizes of images, `1024x1024`, that the provider documents; absent where it names none. */
  readonly sizes?: readonly string[];
  /** An edit may be told by a mask what to change. */
  readonly mask?: boolean;
  /** The provider fetches an `https:` address of a source image itself. */
  readonly remote_urls?: boolean;
}

/** A model as a provider's folder declares it; the catalogue joins the price. */
export interface ModelSpec {
  /** As the provider spells it: the part of the id after the first `/`. */
  readonly name: string;
  readonly endpoints: readonly Endpoint[];
  readonly description?: string;
  /** Unix seconds of the model's release. */
  readonly created: number;
  readonly contextLength?: number;
  readonly maxOutputTokens?: number;
  readonly capabilities: Capabilities;
  readonly regions?: readonly Region[];
  /** The full id of the model that this name points to. */
  readonly aliasOf?: string;
}

/** A catalogue row. */
export interface Model extends ModelSpec {
  /** `provider/name`. */
  readonly id: string;
  readonly provider: string;
  readonly pricing: Pricing;
  /** Of a model of the operator's own what the operator says it can do; absent where all is known. */
  readonly told?: Capabilities;
  /** False for a model that is served when named but not listed (fault drills). */
  readonly listed: boolean;
  /** Milliseconds after which a call that is not answered is made a second time; absent: never. */
  readonly hedgeAfterMs?: number;
}
