import { type Model } from '../../../contract/model.js';
import { type NeutralBlock } from '../../../contract/neutral.js';
import { isText, listOf } from '../../../json/values.js';
import { blockUnmarked } from './anthropic-proofs.js';
import { isAnthropics } from '../proof-marks.js';

/**
 * Who is to read a history: a Claude, whichever it is, or a model that is none but speaks Anthropic's format.
 */
export type Reader = 'claude' | Pick<Model, 'name' | 'provider'>;

/**
 * A block of an assistant's turn as the model takes it, whoever made it; undefined for one that is to
 * be left out. Another's thinking goes, because its proof is nobody else's. So do the calls and results
 * of another's server tools, and citations of its search: Claude refuses names, ids and contents that
 * Anthropic did not give out. A model that is no Claude may sign nothing and want its thinking back, and
 * have server tools of its own.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool
 */
export function ownBlock(block: NeutralBlock, model: Reader): NeutralBlock | undefined {
  if (model !== 'claude') return isProved(block) ? blockUnmarked(block, model) : block;
  if (isForeignThinking(block)) return undefined;
  const id = serverToolId(block);
  if (id !== undefined) return typeof id === 'string' && OWN_ID.test(id) ? block : undefined;
  return withoutForeignCitations(block);
}

/** Whether it is thinking that somebody proved, so that nobody else can read it. */
function isProved({ type, signature }: NeutralBlock): boolean {
  return type === 'redacted_thinking' || (type === 'thinking' && Boolean(signature));
}

/** Whether it is thinking that another than Anthropic proved, or nobody. */
function isForeignThinking({ type, signature, data }: NeutralBlock): boolean {
  if (type === 'thinking') return !isAnthropics(signature);
  return type === 'redacted_thinking' && !isAnthropics(data);
}

/**
 * Anthropic's own ids: `^srvtoolu_[a-zA-Z0-9_]+$` is what its API accepts; a number behind the prefix
 * stands in the ids that the gateway made for a provider which gave none.
 */
const OWN_ID = /^srvtoolu_(?!\d+_)[a-zA-Z0-9_]+$/;

/** Of a server tool's call or result; null where it has none, undefined for any other block. */
function serverToolId({ type, id, tool_use_id: of }: NeutralBlock): unknown {
  if (type === 'server_tool_use') return id ?? null;
  const isResult = isText(type) && /._tool_result$/.test(type) && type !== 'mcp_tool_result';
  return isResult ? (of ?? null) : undefined;
}

/** What Anthropic's search found has an index of it, encrypted; what another's found has none. */
function withoutForeignCitations(block: NeutralBlock): NeutralBlock {
  const given = block.type === 'text' ? listOf(block.citations) : [];
  const own = given.filter((citation) => !isForeignCitation(citation));
  if (own.length === given.length) return block;
  const { citations: _given, ...rest } = block;
  return own.length === 0 ? rest : { ...rest, citations: own };
}

function isForeignCitation(citation: unknown): boolean {
  const { type, encrypted_index: index } = (citation ?? {}) as NeutralBlock;
  return type === 'web_search_result_location' && index === '';
}
