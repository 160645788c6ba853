import { awsEvent, awsFrame } from './aws-frames.js';
import {
  callId,
  callsTool,
  halves,
  plain,
  PROOF,
  type Said,
  USED,
  type Wire,
} from './scripted-upstream-wire.js';

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
export const converseWire: Wire = {
  mediaType: 'application/vnd.amazon.eventstream',

  read: ({ toolConfig, messages }) => {
    const blocks: any[] = messages.flatMap(({ content }: any) => content);
    return {
      tools: (toolConfig?.tools ?? []).flatMap(({ toolSpec: spec }: any) =>
        spec ? [{ name: spec.name, schema: spec.inputSchema.json }] : [],
      ),
      calls: blocks.flatMap(({ toolUse: use }) =>
        use ? [{ id: use.toolUseId, text: use.name }] : [],
      ),
      results: blocks.flatMap(({ toolResult: result }) =>
        result ? [{ id: result.toolUseId, text: plain(result.content) }] : [],
      ),
      proofs: blocks.flatMap(
        ({ reasoningContent }) => reasoningContent?.reasoningText?.signature ?? [],
      ),
    };
  },

  stream: (said, { messages }) => [
    awsEvent('messageStart', { role: 'assistant' }),
    ...said.flatMap((each, index) => block(each, index, messages.length)),
    ...(said.some((each) => 'error' in each)
      ? []
      : [
          awsEvent('messageStop', { stopReason: callsTool(said) ? 'tool_use' : 'end_turn' }),
          awsEvent('metadata', {
            usage: {
              inputTokens: USED.input,
              outputTokens: USED.output,
              totalTokens: USED.input + USED.output,
            },
          }),
        ]),
  ],
};

function block(said: Said, contentBlockIndex: number, turn: number): Buffer[] {
  if ('error' in said) {
    const name = 'modelStreamErrorException';
    const headers = { ':message-type': 'exception', ':exception-type': name };
    return [awsFrame(headers, { message: said.error })];
  }
  const piece = (delta: object) => awsEvent('contentBlockDelta', { contentBlockIndex, delta });
  return [...pieces(said, piece), awsEvent('contentBlockStop', { contentBlockIndex })];

  function pieces(spoken: Exclude<Said, { error: string }>, write: typeof piece): Buffer[] {
    if ('text' in spoken) return halves(spoken.text).map((text) => write({ text }));
    if ('thinking' in spoken) {
      const texts = halves(spoken.thinking).map((text) => ({ text }));
      return [...texts, { signature: PROOF }].map((reasoningContent) =>
        write({ reasoningContent }),
      );
    }
    const toolUse = { toolUseId: callId('tooluse_', turn, contentBlockIndex), name: spoken.tool };
    return [
      awsEvent('contentBlockStart', { contentBlockIndex, start: { toolUse } }),
      ...halves(JSON.stringify(spoken.input)).map((input) => write({ toolUse: { input } })),
    ];
  }
}
