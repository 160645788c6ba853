import { type Model } from '../../../contract/model.js';
import { type NeutralRequest } from '../../../contract/neutral.js';
import { isObject, isText, listOf } from '../../../json/values.js';
import { refuseAnthropicsOwn } from '../asked-output.js';
import { nested, type Placed, placed, untranslatable } from '../placed-blocks.js';
import { isSubstitute } from '../substitute-model.js';

/**
 * Refuses what a Messages request only names and another provider keeps: files, and the container in which
 * Anthropic ran code.
 * https://docs.anthropic.com/en/docs/build-with-claude/files
 *
 * @throws GatewayError 400 naming the place: a fallback may be of the provider that keeps it.
 */
export function refuseKept(request: NeutralRequest): void {
  if ((request.container ?? null) !== null) throw untranslatable('container', KEPT);
  for (const { block, at } of blocksOf(request)) {
    const { type, source } = block;
    if (isText(type) && type === 'container_upload') throw untranslatable(at, KEPT);
    if (isObject(source) && source.type === 'file') throw untranslatable(`${at}.source`, KEPT);
  }
}

/**
 * Refuses what a Claude on a cloud lacks, where the caller did not name that one: files and containers,
 * and what Anthropic does on its own API only, which is to fetch images and documents, to call MCP
 * servers, and to run tools, of which Vertex has the search.
 * https://docs.anthropic.com/en/docs/build-with-claude/vision, …/agents-and-tools/mcp-connector,
 * …/agents-and-tools/tool-use/web-search-tool
 *
 * @throws GatewayError 400 naming the place: a fallback may be Anthropic's.
 */
export function refuseBeyondCloud(
  request: NeutralRequest,
  model: Pick<Model, 'id' | 'provider'>,
): void {
  if (!isSubstitute(request.model, model)) return;
  refuseKept(request);
  refuseAnthropicsOwn(request);
  listOf(request.tools).forEach((tool, index) => {
    const type = isObject(tool) ? tool.type : undefined;
    if (!isText(type) || !RUN_BY_ANTHROPIC.test(type)) return;
    if (model.provider === 'vertex' && type.startsWith('web_search_')) return;
    throw untranslatable(`tools[${index}].type`, 'this cloud runs no such tool.');
  });
  for (const { block, at } of blocksOf(request)) {
    if (isObject(block.source) && block.source.type === 'url') {
      throw untranslatable(`${at}.source`, 'this cloud fetches nothing; send the data.');
    }
  }
}

const KEPT = 'is kept by its own provider.';

const RUN_BY_ANTHROPIC = /^(?:web_search|web_fetch|code_execution|advisor)_\d{8}$|^mcp_toolset$/;

/** All blocks of a conversation, those inside of results too. */
function blocksOf({ messages }: NeutralRequest): readonly Placed[] {
  return messages.flatMap(({ content }, index) =>
    placed(content, `messages[${index}].content`).flatMap((one) => [one, ...inside(one)]),
  );
}

/** What a result or a document holds; what other blocks hold are no blocks of a request. */
function inside({ block, at }: Placed): readonly Placed[] {
  const { type, content, source } = block;
  if (type === 'tool_result' && Array.isArray(content)) return nested({ block, at }, 'content');
  if (!isObject(source) || !Array.isArray(source.content)) return [];
  return nested({ block: { ...source, type: 'content' }, at: `${at}.source` }, 'content');
}
