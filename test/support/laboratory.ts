import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeUpstream } from './fake-upstream.js';
import { API_KEY, type RunningGateway } from './gateway.js';

export const STRONG = 'lab/strong';
export const CHEAP = 'lab/cheap';
export const SMALL = 'lab/small';
export const EUROPEAN = 'lab/european';

export const directory = mkdtempSync(join(tmpdir(), 'causeway-router-'));
/** A file of that text, and its path. */
export const file = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

export const PRIOR = `
families:
  strong: { quality: 0.9 }
  cheap: { quality: 0.7 }
  small: { quality: 0.5 }
  european: { quality: 0.1 }
`;

/** Models of one provider, whose prices are tenfold from one to the next. */
const modelsFile = (url: string) =>
  file(
    `models-${new URL(url).port}.yaml`,
    `
providers:
  lab: { format: openai, base_url: '${url}/v1' }
models:
  ${STRONG}:
    endpoints: [messages]
    context_length: 100000
    max_output_tokens: 8000
    pricing: { input_cost_per_token: 0.00001, output_cost_per_token: 0.00005 }
    capabilities:
      supports_function_calling: true
      supports_tool_choice: true
      supports_response_schema: true
      supports_reasoning: true
      input_modalities: [text, image, file]
  ${CHEAP}:
    endpoints: [messages]
    context_length: 100000
    max_output_tokens: 8000
    pricing: { input_cost_per_token: 0.000001, output_cost_per_token: 0.000005 }
    capabilities: { supports_function_calling: true, input_modalities: [text] }
  ${SMALL}:
    endpoints: [messages]
    context_length: 2000
    max_output_tokens: 500
    pricing: { input_cost_per_token: 0.0000001, output_cost_per_token: 0.0000005 }
  ${EUROPEAN}:
    endpoints: [messages]
    pricing: { input_cost_per_token: 0.00001, output_cost_per_token: 0.00005 }
    regions: [eu]
`,
  );

const completion = (model: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
});

/** A laboratory of models whose calls can be made to fail by name. */
export class Laboratory {
  readonly upstream = new FakeUpstream();
  readonly failing = new Set<string>();

  /** @param failure the status of a call that fails. */
  async open(failure = 400): Promise<string> {
    await this.upstream.listen();
    this.upstream.answers((response, { body }) => {
      const fails = this.failing.has(`lab/${body.model}`);
      response.writeHead(fails ? failure : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(fails ? { error: { message: 'No.' } } : completion(body.model)));
    });
    return modelsFile(this.upstream.url);
  }

  get asked(): string[] {
    return this.upstream.received.map(({ body }) => body.model as string);
  }
}

export const poster =
  (gateway: () => RunningGateway, key = API_KEY) =>
  async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(gateway().url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const json: any = text.startsWith('{') ? JSON.parse(text) : undefined;
    return { status: response.status, text, json, headers: response.headers };
  };

let count = 0;
/** A question that no conversation has begun with before. */
export const question = () => [
  { role: 'user' as const, content: `Tell me about number ${(count += 1)}.` },
];
export const routed = (more: object = {}) => ({
  model: '@router',
  max_tokens: 100,
  messages: question(),
  ...more,
});
