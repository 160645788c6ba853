// What choosing a model costs: 200 candidates, a prompt of 32 kB, and a hostile one of 32 MB.
// node bench/router.mjs (after npm run build)
import { parseArgs } from 'node:util';
import { loadPrior } from '../dist/routing/prior.service.js';
import { beliefsOf } from '../dist/routing/priced-prior.js';
import { rankModels } from '../dist/routing/rank-models.js';
import { shapeOf } from '../dist/routing/request-shape.js';
import { classify, glimpse } from '../dist/routing/task-class.js';
import { sessionKey } from '../dist/routing/sessions.service.js';

refuseArguments();

const ROUNDS = 3_000;
const CANDIDATES = 200;
const prior = loadPrior(undefined);
const names = [
  'gpt-6-luna',
  'claude-opus-5-5',
  'glm-5.3',
  'qwen3.8-27b',
  'unheard-of',
  'gpt-4o-mini',
];
const targets = Array.from({ length: CANDIDATES }, (_, index) => ({
  model: {
    id: `provider-${index}/${names[index % names.length]}`,
    contextLength: 1_000_000,
    maxOutputTokens: 64_000,
    capabilities: { supports_function_calling: true, input_modalities: ['text', 'image'] },
    pricing: {
      inputPerToken: BigInt(1 + index * 10_000),
      outputPerToken: BigInt(1 + index * 50_000),
    },
  },
}));
const beliefs = beliefsOf(
  targets.map(({ model }) => model),
  prior,
);
const knowledge = {
  believed: ({ id }) => beliefs.get(id),
  prior,
  latencyMs: ({ id }) => id.length * 100,
  isHealthy: () => true,
  isFailing: () => false,
};
const context = { caller: { accountId: 'acc_bench' }, headers: {} };

/** It takes none but `--help`; any other ends the process. */
function refuseArguments() {
  const usage = 'npm run router:bench\n';
  try {
    if (!parseArgs({ options: { help: { type: 'boolean' } } }).values.help) return;
  } catch (error) {
    process.stderr.write(`${error.message}\n${usage}`);
    process.exit(2);
  }
  process.stdout.write(usage);
  process.exit(0);
}

function route(body) {
  const shape = shapeOf(body);
  sessionKey(context, body, shape);
  return rankModels(targets, { shape, stream: false }, knowledge);
}

function measure(name, rounds, work, prepare = () => undefined) {
  for (let round = 0; round < rounds / 10; round += 1) work(round, prepare());
  const times = Array.from({ length: rounds }, (_, round) => {
    const prepared = prepare();
    const startedAt = performance.now();
    work(round, prepared);
    return performance.now() - startedAt;
  }).sort((one, other) => one - other);
  const at = (share) => times[Math.min(rounds - 1, Math.floor(share * rounds))].toFixed(3);
  console.log(`${name.padEnd(52)} p50 ${at(0.5)} ms   p99 ${at(0.99)} ms`);
}

const words = 'Where the river bends, three old men count their 12 boats. ';
const prompt = words.repeat(Math.ceil(32_768 / words.length));
const turns = Array.from({ length: 64 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: [{ type: 'text', text: `${index} ${prompt.slice(0, 512)}` }],
}));
measure(`${CANDIDATES} candidates, one prompt of 32 kB`, ROUNDS, (round) =>
  route({ system: 'Be brief.', messages: [{ role: 'user', content: `${round} ${prompt}` }] }),
);
measure(`${CANDIDATES} candidates, 32 kB in 64 turns`, ROUNDS, () => route({ messages: turns }));
const tools = Array.from({ length: 40 }, (_, index) => ({
  name: `tool_${index}`,
  description: prompt.slice(0, 1_000),
  input_schema: {
    type: 'object',
    properties: Object.fromEntries(
      ['path', 'pattern', 'limit', 'offset', 'mode'].map((name) => [
        name,
        { type: 'string', description: prompt.slice(0, 80) },
      ]),
    ),
    required: ['path'],
  },
}));
const steps = Array.from({ length: 150 }, (_, index) => [
  {
    role: 'assistant',
    content: [
      { type: 'tool_use', id: `toolu_${index}`, name: 'tool_1', input: { path: `${index}` } },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: `toolu_${index}`,
        content: `${index} ${prompt.slice(0, 2_000)}`,
      },
    ],
  },
]).flat();
const agents = JSON.stringify({
  tools,
  messages: [{ role: 'user', content: 'Mend it.' }, ...steps],
});
measure(
  `${CANDIDATES} candidates, an agent's 400 kB in 301 turns`,
  ROUNDS / 10,
  (_, body) => route(body),
  () => JSON.parse(agents),
);
const hostile = '$a\\( A. 1 write a '.repeat(Math.ceil(32e6 / 18));
measure('the kind of task alone, 32 MB of hostile text', ROUNDS, () =>
  classify({ offersTools: false, text: glimpse(hostile) }),
);
