import { halves, PROOF, type Said, sse, USED, type Wire } from './scripted-upstream-wire.js';

/** https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent */
export const geminiWire: Wire = {
  mediaType: 'text/event-stream',

  read: ({ tools = [], contents }) => {
    const parts: any[] = contents.flatMap((content: any) => content.parts);
    return {
      tools: tools
        .flatMap((tool: any) => tool.functionDeclarations ?? [])
        .map(({ name, parametersJsonSchema, parameters }: any) => ({
          name,
          schema: parametersJsonSchema ?? parameters ?? {},
        })),
      calls: parts.flatMap(({ functionCall: call }) =>
        call ? [{ id: call.name, text: call.name }] : [],
      ),
      results: parts.flatMap(({ functionResponse: result }) =>
        result ? [{ id: result.name, text: Object.values(result.response).join('') }] : [],
      ),
      proofs: parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []),
    };
  },

  stream: (said) => {
    const firstCall = said.findIndex((each) => 'tool' in each);
    const chunks = said.flatMap((each, index) => parts(each, index === firstCall));
    if (said.some((each) => 'error' in each)) return chunks;
    const usageMetadata = {
      promptTokenCount: USED.input,
      candidatesTokenCount: USED.output,
      totalTokenCount: USED.input + USED.output,
    };
    const last = { content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' };
    return [...chunks, sse({ candidates: [{ ...last, index: 0 }], usageMetadata })];
  },
};

function parts(said: Said, isFirstCall: boolean): string[] {
  const chunk = (part: object) =>
    sse({ candidates: [{ content: { role: 'model', parts: [part] }, index: 0 }] });
  if ('error' in said) {
    return [sse({ error: { code: 503, message: said.error, status: 'UNAVAILABLE' } })];
  }
  if ('text' in said) return halves(said.text).map((text) => chunk({ text }));
  if ('thinking' in said) {
    return halves(said.thinking).map((text) => chunk({ text, thought: true }));
  }
  const functionCall = { name: said.tool, args: said.input };
  return [chunk({ functionCall, ...(isFirstCall && { thoughtSignature: PROOF }) })];
}
