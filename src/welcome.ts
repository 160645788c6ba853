/** What the first start prints once, and every start in short. */
export function welcome(url: string, keys: { adminKey?: string; apiKey?: string }): string {
  const lines = [`Causeway is listening on ${url}`, `API documentation: ${url}/docs`];
  if (keys.adminKey !== undefined) lines.push('', `Admin key: ${keys.adminKey}`);
  if (keys.apiKey !== undefined) {
    lines.push(
      `API key:   ${keys.apiKey}`,
      'These keys are shown only this once. Try:',
      '',
      `curl ${url}/v3/v1/messages -H 'authorization: Bearer ${keys.apiKey}' -H 'content-type: application/json' -d '{"model":"sandbox/echo","max_tokens":100,"messages":[{"role":"user","content":"Hello"}]}'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
