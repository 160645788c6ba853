/** What the documentation says before anything else, in Markdown. */
export const INTRODUCTION = `One address and one key for every model provider, with the cost on every response.

**Try it here**

1. Take the API key that the gateway printed at its first start, or that you were given.
2. Press **Authorize**, paste the key into **AuthBearer**, press **Authorize** and **Close**.
3. Open an operation, press **Try it out**, choose an example and press **Execute**.

The examples use the models of the sandbox (\`sandbox/echo\`, \`sandbox/image\`, \`sandbox/embedding\`),
which answer without any provider. Every other model is named \`<provider>/<model>\` as well and works
as soon as the gateway has a key for its provider; \`GET /v3/models\` lists them.

**Clients**: OpenAI’s SDKs take \`{this address}/v3\` as their base URL, and so do Anthropic’s SDKs and
Claude Code.

**Errors** come in the shape that an endpoint’s clients know: OpenAI’s, or Anthropic’s under
\`/v3/v1/\`, where a body that breaks the schema is a 422 with every problem listed, as it is under \`/v3/upload\`,
whose other errors of the caller are a \`detail\`. A path that does not
exist is 404, a method that a path does not have is 405 with an \`Allow\` header.

**On every response**: \`x-request-id\`, to be quoted when you ask about it (you may choose it yourself by
sending one), and what is left of your account’s rate limit in \`X-RateLimit-Limit\`,
\`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`.

This page is made from the [OpenAPI document](/docs/openapi.json).`;

/** The groups of operations, in the order in which they are shown. */
export const TAGS = [
  {
    name: 'Messages',
    description: 'Conversations with any chat model, in Anthropic’s format.',
  },
  {
    name: 'Chat',
    description: 'Conversations with any chat model, in OpenAI’s format.',
  },
  {
    name: 'Responses',
    description: 'Conversations with any chat model, in the format of OpenAI’s Responses API.',
  },
  {
    name: 'Routing',
    description: 'How `@router` chooses models, and how it learns which ones are good.',
  },
  { name: 'Images', description: 'Images made and edited by prompts.' },
  { name: 'Uploads', description: 'Files that are kept for a while, such as images to be edited.' },
  { name: 'Embeddings', description: 'Vectors for texts.' },
  { name: 'Models', description: 'What can be asked for, and at which price.' },
  { name: 'Account', description: 'Your own account, key and usage.' },
  {
    name: 'Management',
    description:
      'Accounts, keys, credit, usage, providers and models; with a key of the scope `admin`.',
  },
  { name: 'Health', description: 'For load balancers and process managers.' },
] as const;
