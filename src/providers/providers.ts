import { alibaba } from './alibaba/alibaba.js';
import { anthropic } from './anthropic/anthropic.js';
import { azureOpenai } from './azure-openai/azure-openai.js';
import { bedrock } from './bedrock/bedrock.js';
import { cerebras } from './cerebras/cerebras.js';
import { cohere } from './cohere/cohere.js';
import { deepinfra } from './deepinfra/deepinfra.js';
import { deepseek } from './deepseek/deepseek.js';
import { fireworks } from './fireworks/fireworks.js';
import { google } from './google/google.js';
import { groq } from './groq/groq.js';
import { huggingface } from './huggingface/huggingface.js';
import { minimax } from './minimax/minimax.js';
import { mistral } from './mistral/mistral.js';
import { moonshot } from './moonshot/moonshot.js';
import { nebius } from './nebius/nebius.js';
import { ollama } from './ollama/ollama.js';
import { openai } from './openai/openai.js';
import { openrouter } from './openrouter/openrouter.js';
import { perplexity } from './perplexity/perplexity.js';
import { type Provider } from './provider.js';
import { sambanova } from './sambanova/sambanova.js';
import { sandbox } from './sandbox/sandbox.js';
import { together } from './together/together.js';
import { vertex } from './vertex/vertex.js';
import { vllm } from './vllm/vllm.js';
import { xai } from './xai/xai.js';
import { zai } from './zai/zai.js';

/** Every provider that is built in; a new one is a folder and a line here. */
export const PROVIDERS: readonly Provider[] = [
  anthropic,
  openai,
  alibaba,
  azureOpenai,
  bedrock,
  cerebras,
  cohere,
  deepinfra,
  deepseek,
  fireworks,
  google,
  groq,
  huggingface,
  minimax,
  mistral,
  moonshot,
  nebius,
  ollama,
  openrouter,
  perplexity,
  sambanova,
  together,
  vertex,
  vllm,
  xai,
  zai,
  sandbox,
];
