import { argumentsOf, type Facts } from './recorded-answer.js';

type Json = Record<string, any>;

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html, …_ConverseStream.html */
export function converseAnswer(pieces: readonly Json[]): Facts {
  const [whole] = pieces;
  const isWhole = whole?.output !== undefined;
  const blocks: Json[] = isWhole ? whole.output.message.content : streamed(pieces);
  const calls = blocks.flatMap(({ toolUse }) =>
    toolUse && toolUse.type !== 'server_tool_use' ? [toolUse] : [],
  );
  const reason = pieces.map((piece) => piece.stopReason ?? piece.messageStop?.stopReason);
  const usages = pieces.map((piece) => piece.usage ?? piece.metadata?.usage).filter(Boolean);
  const { inputTokens, outputTokens, ...cached } = usages.at(-1) ?? {};
  return {
    text: blocks.map(textIn).join(''),
    refusal: '',
    thinking: blocks.map((block) => block.reasoningContent?.reasoningText?.text ?? '').join(''),
    calls: calls.map(({ toolUseId: id, name, input }) => ({ id, name, input: argumentsOf(input) })),
    stop: stopOf(reason.find(Boolean), calls.length),
    usage:
      inputTokens === undefined
        ? undefined
        : {
            input: inputTokens,
            output: outputTokens,
            cacheRead: cached.cacheReadInputTokens ?? 0,
            cacheWrite: cached.cacheWriteInputTokens ?? 0,
          },
    failed: pieces.some(({ error }) => error !== undefined),
    ended: reason.some(Boolean),
  };
}

function textIn({ text, citationsContent }: Json): string {
  const cited = (citationsContent?.content ?? []) as Json[];
  return text ?? cited.map((piece) => piece.text ?? '').join('');
}

function streamed(pieces: readonly Json[]): Json[] {
  const blocks: Json[] = [];
  for (const { contentBlockStart: start, contentBlockDelta: piece } of pieces) {
    if (start?.start?.toolUse) {
      blocks[start.contentBlockIndex] = { toolUse: { ...start.start.toolUse, input: '' } };
    }
    if (!piece) continue;
    const { delta, contentBlockIndex: index } = piece;
    const block = (blocks[index] ??= {});
    if (delta.text !== undefined) block.text = (block.text ?? '') + delta.text;
    if (delta.toolUse) block.toolUse.input += delta.toolUse.input;
    const thought = delta.reasoningContent?.text;
    if (thought === undefined) continue;
    block.reasoningContent ??= { reasoningText: { text: '' } };
    block.reasoningContent.reasoningText.text += thought;
  }
  return blocks.filter(Boolean);
}

function stopOf(reason: unknown, calls: number): string | null {
  switch (reason) {
    case 'end_turn':
      return calls > 0 ? 'tool_use' : 'end_turn';
    case 'model_context_window_exceeded':
      return 'max_tokens';
    case 'tool_use':
    case 'max_tokens':
    case 'stop_sequence':
      return reason;
    default:
      return null;
  }
}
