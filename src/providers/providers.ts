import { alibaba } from './alibaba/alibaba.js';
import { anthropic } from './anthropic/anthropic.js';
import { azureOpenai } from './azure-openai/azure-openai.js';
import { bedrock } from './bedrock/bedrock.js';
import { bfl } from './bfl/bfl.js';
import { cerebras } from './cerebras/cerebras.js';
import { cohere } from './cohere/cohere.js';
import { deepinfra } from './deepinfra/deepinfra.js';
import { deepseek } from './deepseek/deepseek.js';
import { fal } from './fal/fal.js';
import { fireworks } from './fireworks/fireworks.js';
import { google } from './google/google.js';
import { groq } from './groq/groq.js';
import { huggingface } from './huggingface/huggingface.js';
import { jina } from './jina/jina.js';
import { minimax } from './minimax/minimax.js';
import { mistral } from './mistral/mistral.js';
import { moonshot } from './moonshot/moonshot.js';
import { nebius } from './nebius/nebius.js';
import { ollama } from './ollama/ollama.js';
import { openai } from './openai/openai.js';
import { openrouter } from './openrouter/openrouter.js';
import { perplexity } from './perplexity/perplexity.js';
import { replicate } from './replicate/replicate.js';
import { type Provider } from './provider.js';
import { sambanova } from './sambanova/sambanova.js';
import { sandbox } from './sandbox/sandbox.js';
import { stability } from './stability/stability.js';
import { together } from './together/together.js';
import { vertex } from './vertex/vertex.js';
import { vllm } from './vllm/vllm.js';
import { voyage } from './voyage/voyage.js';
import { xai } from './xai/xai.js';
import { zai } from './zai/zai.js';

/** Every provider that is built in; a new one is a folder and a line here. */
export const PROVIDERS: readonly Provider[] = [
  anthropic,
  openai,
  alibaba,
  azureOpenai,
  bedrock,
  bfl,
  cerebras,
  cohere,
  deepinfra,
  deepseek,
  fal,
  fireworks,
  google,
  groq,
  huggingface,
  jina,
  minimax,
  mistral,
  moonshot,
  nebius,
  ollama,
  openrouter,
  perplexity,
  replicate,
  sambanova,
  stability,
  together,
  vertex,
  vllm,
  voyage,
  xai,
  zai,
  sandbox,
];
