import { type GatewayError } from '../contract/gateway-error.js';
import { invalidValue } from './parameter-error.js';

const MOST_HEADERS = 32;
const MOST_BYTES = 8 * 1024;
/** https://www.rfc-editor.org/rfc/rfc9110#name-tokens */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const VISIBLE = /^[\t\x20-\x7e]*$/;
/**
 * Headers that carry credentials, say where a request goes or on whose account it is made there, which model
 * works on it, in which tier of service or for how long, or how it and its answer are written. A provider's
 * refusal of one, or an answer in a form that nobody asked for, would speak against a key or a model that works
 * for all others.
 */
const RESERVED = new Set([
  'authorization',
  'x-api-key',
  'api-key',
  'x-key',
  'cookie',
  'set-cookie',
  'host',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'forwarded',
  'accept',
  'accept-encoding',
  'range',
  'x-http-method-override',
  'x-ms-oai-image-generation-deployment',
  // Google fails a call with 500 or 504 when it is over: https://github.com/googleapis/python-genai/issues/1330
  'x-server-timeout',
  // https://platform.openai.com/docs/api-reference/authentication
  'openai-organization',
  'openai-project',
  // https://docs.aws.amazon.com/claude-platform/latest/userguide/workspaces.html
  'anthropic-workspace-id',
  // https://huggingface.co/docs/inference-providers/en/pricing
  'x-hf-bill-to',
  // https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModel.html
  'x-amzn-bedrock-accept',
  'x-amzn-bedrock-performanceconfig-latency',
  'x-amzn-bedrock-service-tier',
]);
/**
 * Families of them: AWS's by which a call is signed, Google's system parameters (the key, who pays, what is
 * left out of the answer), Vertex's tiers of service, DashScope's, which pick a workspace or have a job made,
 * and those by which an Envoy before a server of the operator's own limits a call's time, or makes it again.
 * https://docs.cloud.google.com/apis/docs/system-parameters,
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/priority-paygo,
 * https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_filters/router_filter
 */
const RESERVED_PREFIX =
  /^(?:proxy|content|x-forwarded|x-amz|x-goog|x-vertex-ai-llm|x-dashscope|x-envoy)-/;

/**
 * Lets through the `extra_headers` that a caller may send to a provider.
 *
 * @throws GatewayError 400 that names the first header at fault, never its value.
 */
export function checkExtraHeaders(headers: Readonly<Record<string, string>>): void {
  const entries = Object.entries(headers);
  if (entries.length > MOST_HEADERS) throw refused(`at most ${MOST_HEADERS} headers are allowed`);
  const size = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (size > MOST_BYTES) throw refused(`names and values may have ${MOST_BYTES} bytes together`);
  for (const [name, value] of entries) {
    if (!TOKEN.test(name)) throw refused(`${JSON.stringify(name)} is not a header name`);
    if (isReserved(name.toLowerCase())) throw refused(`'${name}' may not be set`);
    if (!VISIBLE.test(value)) {
      throw refused(`the value of '${name}' has characters other than visible ASCII`);
    }
  }
}

function isReserved(name: string): boolean {
  return RESERVED.has(name) || RESERVED_PREFIX.test(name);
}

function refused(reason: string): GatewayError {
  return invalidValue('extra_headers', reason);
}
