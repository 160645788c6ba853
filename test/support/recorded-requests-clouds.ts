import {
  type Conversation,
  emptyConversation,
  type Part,
  settings,
} from './recorded-conversation.js';

type Json = Record<string, any>;

/** https://ai.google.dev/api/generate-content, in either spelling of its fields */
export function readGemini(body: Json): Conversation {
  const said = emptyConversation();
  const { systemInstruction: system, contents, tools, toolConfig, ...rest } = camel(body);
  const instruction = typeof system === 'string' ? [{ text: system }] : (system?.parts ?? []);
  said.system.push(...instruction.map(({ text }: Json) => text).filter(Boolean));
  if (rest.cachedContent) said.odd.push('cachedContent');
  const ids = callIds();
  for (const { role, parts } of [contents ?? []].flat() as Json[]) {
    said.turns.push({
      role: role === 'model' ? 'assistant' : 'user',
      parts: [parts ?? []].flat().flatMap((part: Json) => geminiPart(part, ids, said.odd)),
    });
  }
  for (const [kind, declared] of [tools ?? []]
    .flat()
    .flatMap((tool: Json) => Object.entries(tool))) {
    if (kind !== 'functionDeclarations') said.odd.push(`tool ${kind}`);
    else for (const tool of declared as Json[]) said.tools.push(geminiTool(tool));
  }
  said.choice = geminiChoice(toolConfig?.functionCallingConfig);
  const config = rest.generationConfig ?? {};
  const output = [config.responseModalities ?? []].flat();
  if (config.candidateCount > 1 || output.some((kind) => kind !== 'TEXT')) said.odd.push('output');
  const { maxOutputTokens: max, temperature, topP, stopSequences: stop } = config;
  return { ...said, ...settings({ max, temperature, topP, stop }) };
}

function geminiPart(part: Json, ids: ReturnType<typeof callIds>, odd: string[]): Part[] {
  const {
    text,
    thought,
    functionCall: call,
    functionResponse: result,
    inlineData,
    fileData,
  } = part;
  if (call) {
    return [{ call: { id: ids.called(call), name: call.name, input: call.args ?? {} } }];
  }
  if (result) {
    const id = ids.answered(result);
    if (result.parts || id === undefined) odd.push('a result of more than text');
    return [{ result: { id: id ?? '', text: wordsOf(result.response) } }];
  }
  if (inlineData?.mimeType.startsWith('image/')) {
    return [{ image: { type: inlineData.mimeType, data: inlineData.data } }];
  }
  if (fileData?.mimeType?.startsWith('image/') && !/googleapis/.test(fileData.fileUri)) {
    return [{ image: { url: fileData.fileUri } }];
  }
  if (text === undefined) odd.push(`part ${Object.keys(part).join()}`);
  return text && !thought ? [{ text }] : [];
}

/** Results name their calls by id where there are ids, else by name and order. */
function callIds() {
  const open: { id: string; name: string }[] = [];
  let count = 0;
  return {
    called: ({ id = `call_${++count}`, name }: Json): string => {
      open.push({ id, name });
      return id;
    },
    answered: ({ id, name }: Json): string | undefined => {
      const at = open.findIndex((call) => (id === undefined ? call.name === name : call.id === id));
      return at < 0 ? undefined : open.splice(at, 1)[0]!.id;
    },
  };
}

function geminiTool({ name, description, parametersJsonSchema, parameters }: Json) {
  // Google's own dialect of schemas writes types in capitals.
  const lower = (value: any): any => {
    if (Array.isArray(value)) return value.map(lower);
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).map(([key, inner]) => {
      const isType = key === 'type' && typeof inner === 'string';
      return [key, isType ? inner.toLowerCase() : lower(inner)];
    });
    return Object.fromEntries(fields);
  };
  return { name, description, schema: lower(parametersJsonSchema ?? parameters) };
}

function geminiChoice(config: Json | undefined): Conversation['choice'] {
  const names = config?.allowedFunctionNames ?? [];
  switch (config?.mode?.toLowerCase()) {
    case 'any':
      return names.length === 1 ? { type: 'tool', name: names[0] } : { type: 'any' };
    case 'none':
    case 'auto':
      return { type: config!.mode.toLowerCase() };
    default:
      return undefined;
  }
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html */
export function readConverse(body: Json): Conversation {
  const said = emptyConversation();
  for (const { text, guardContent } of (body.system ?? []) as Json[]) {
    if (guardContent) said.odd.push('guardContent');
    if (text) said.system.push(text);
  }
  for (const { role, content } of body.messages as Json[]) {
    said.turns.push({ role, parts: content.flatMap((part: Json) => conversePart(part, said.odd)) });
  }
  for (const tool of (body.toolConfig?.tools ?? []) as Json[]) {
    const { toolSpec, cachePoint } = tool;
    if (!toolSpec && !cachePoint) said.odd.push(`tool ${Object.keys(tool).join()}`);
    if (!toolSpec) continue;
    const { name, description, inputSchema } = toolSpec;
    said.tools.push({ name, description, schema: inputSchema.json });
  }
  const { any, tool, auto } = body.toolConfig?.toolChoice ?? {};
  if (any || auto) said.choice = { type: any ? 'any' : 'auto' };
  if (tool) said.choice = { type: 'tool', name: tool.name };
  const { maxTokens: max, temperature, topP, stopSequences: stop } = body.inferenceConfig ?? {};
  return { ...said, ...settings({ max, temperature, topP, stop }) };
}

function conversePart(part: Json, odd: string[]): Part[] {
  const { text, image, toolUse, toolResult, reasoningContent, cachePoint } = part;
  if (toolUse) {
    return [{ call: { id: toolUse.toolUseId, name: toolUse.name, input: toolUse.input } }];
  }
  if (toolResult) {
    const inner = toolResult.content as Json[];
    const isText = inner.every((one) => one.text !== undefined || one.json !== undefined);
    if (!isText) odd.push('a result of more than text');
    const texts = inner.map((one) => one.text ?? JSON.stringify(one.json));
    return [{ result: { id: toolResult.toolUseId, text: texts.join('\n') } }];
  }
  if (image?.source.bytes) {
    return [{ image: { type: `image/${image.format}`, data: image.source.bytes } }];
  }
  if (!text && !reasoningContent && !cachePoint) odd.push(`part ${Object.keys(part).join()}`);
  return text ? [{ text }] : [];
}

/** What a function returned, without the object that some clients wrap a text in. */
function wordsOf(response: any): string {
  const [only, ...others] = Object.values(response ?? {});
  const isWrapped = typeof only === 'string' && others.length === 0;
  return isWrapped ? only : JSON.stringify(response ?? {});
}

function camel(value: any, depth = 0): any {
  if (Array.isArray(value)) return value.map((item) => camel(item, depth));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => {
    const own = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    // What the caller's own tools take and return is theirs to spell.
    return [own, OPAQUE.has(own) ? inner : camel(inner, depth + 1)];
  });
  return Object.fromEntries(fields);
}

const OPAQUE = new Set([
  'args',
  'response',
  'parameters',
  'parametersJsonSchema',
  'responseSchema',
]);
