/** A provider's name: the prefix of its models' ids and, in upper case, of its variables. */
export const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Names that stand for one provider each, also those that this version does not serve yet. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(
  (
    'anthropic openai azure-openai google vertex bedrock mistral cohere xai deepseek groq together ' +
    'fireworks deepinfra openrouter cerebras perplexity nebius sambanova moonshot zai minimax ' +
    'alibaba huggingface ollama vllm voyage jina stability bfl fal replicate sandbox'
  ).split(' '),
);
