/** How Bedrock is reached for a model; its id or ARN is one escaped segment of the path. */
export function bedrockPath(
  model: string,
  operation:
    'converse' | 'converse-stream' | 'invoke' | 'invoke-with-response-stream' | 'count-tokens',
): string {
  return `/model/${encodeURIComponent(model)}/${operation}`;
}

/**
 * Whether an id or ARN names a Claude: `anthropic.` begins it or follows a geography (`us.`,
 * `global.`) or an ARN's slash. An application profile's ARN does not tell what it is for.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-ids.html
 */
export function namesClaude(model: string): boolean {
  return vendorOf(model) === 'anthropic';
}

/** Whether an id or ARN names one of Amazon's Novas. */
export function namesNova(model: string): boolean {
  return model.includes('amazon.nova-');
}

/** The vendor in an id or ARN, where a request depends on who it is. */
export function vendorOf(model: string): string | undefined {
  return /(?:^|[./])(amazon|anthropic|cohere|mistral|openai|qwen)\./.exec(model)?.[1];
}

/** The model behind a geographic profile, which is what tokens are counted for. */
export function foundationModel(model: string): string {
  return model.replace(/^(?:arn:.*\/)?(?:[a-z-]+\.)?(?=anthropic\.)/, '');
}
