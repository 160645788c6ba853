import { type Capabilities, type ModelSpec } from '../../contract/model.js';
import { TOOLS } from '../chat-model.js';

/** https://platform.openai.com/docs/guides/image-generation#size-and-quality-options */
const GPT_SIZES = ['1024x1024', '1536x1024', '1024x1536'];

/** What sees pictures reads PDFs too. https://developers.openai.com/api/docs/guides/file-inputs */
const SEES: Capabilities = {
  input_modalities: ['text', 'image', 'file'],
  output_modalities: ['text'],
};

const CHAT: Capabilities = {
  supports_system_messages: true,
  supports_native_streaming: true,
  supports_prompt_caching: true,
  supports_response_schema: true,
};

const MULTIMODAL: Capabilities = { ...SEES, ...CHAT, ...TOOLS };
const REASONING: Capabilities = { ...MULTIMODAL, supports_reasoning: true };
/** OpenAI takes no `parallel_tool_calls` for the o-series. */
const O_SERIES: Capabilities = {
  ...SEES,
  ...CHAT,
  supports_reasoning: true,
  supports_function_calling: true,
  supports_tool_choice: true,
};
const GPT_6 = { contextLength: 1_050_000, maxOutputTokens: 128_000 };
const GPT_5 = { contextLength: 400_000, maxOutputTokens: 128_000 };
const GPT_5_PRO = { contextLength: 400_000, maxOutputTokens: 272_000 };
const GPT_4_1 = { contextLength: 1_047_576, maxOutputTokens: 32_768 };
const GPT_4O = { contextLength: 128_000, maxOutputTokens: 16_384 };
const O_LIMITS = { contextLength: 200_000, maxOutputTokens: 100_000 };

/** OpenAI's models, newest first. https://developers.openai.com/api/docs/models */
export const models: readonly ModelSpec[] = [
  chat('gpt-6.2-astra', 'GPT-6.2 Astra', released('2026-11-17'), GPT_6, REASONING),
  chat('gpt-6.2-sol', 'GPT-6.2 Sol', released('2026-11-17'), GPT_6, REASONING),
  chat('gpt-6.1-terra', 'GPT-6.1 Terra', released('2026-10-26'), GPT_6, REASONING),
  chat('gpt-6.1-sol', 'GPT-6.1 Sol', released('2026-09-29'), GPT_6, REASONING),
  chat('gpt-6-sol', 'GPT-6 Sol', released('2026-09-22'), GPT_6, REASONING),
  chat('gpt-6-luna', 'GPT-6 Luna', released('2026-09-22'), GPT_6, REASONING),
  chat('gpt-6-astra', 'GPT-6 Astra', released('2026-09-03'), GPT_6, REASONING),
  chat('gpt-5.6-sol', 'GPT-5.6 Sol', 1_782_228_018, GPT_6, REASONING),
  chat('gpt-5.6-terra', 'GPT-5.6 Terra', 1_782_228_459, GPT_6, REASONING),
  chat('gpt-5.6-luna', 'GPT-5.6 Luna', 1_782_228_658, GPT_6, REASONING),
  ...withSnapshot(
    chat('gpt-5.5', 'GPT-5.5', 1_776_824_847, { ...GPT_6, contextLength: 1_000_000 }, REASONING),
    'gpt-5.5-2026-04-23',
    1_776_839_241,
  ),
  ...withSnapshot(
    chat('gpt-5.5-pro', 'GPT-5.5 pro', released('2026-04-24'), GPT_6, REASONING),
    'gpt-5.5-pro-2026-04-23',
    released('2026-04-24'),
  ),
  ...withSnapshot(
    chat('gpt-5.4', 'GPT-5.4', 1_772_691_852, GPT_6, REASONING),
    'gpt-5.4-2026-03-05',
    1_772_654_062,
  ),
  ...withSnapshot(
    chat('gpt-5.4-pro', 'GPT-5.4 pro', released('2026-03-05'), GPT_6, REASONING),
    'gpt-5.4-pro-2026-03-05',
    released('2026-03-05'),
  ),
  ...withSnapshot(
    chat('gpt-5.4-mini', 'GPT-5.4 mini', 1_773_451_123, GPT_5, REASONING),
    'gpt-5.4-mini-2026-03-17',
    1_773_451_076,
  ),
  ...withSnapshot(
    chat('gpt-5.4-nano', 'GPT-5.4 nano', 1_773_450_870, GPT_5, REASONING),
    'gpt-5.4-nano-2026-03-17',
    1_773_450_837,
  ),
  chat('gpt-5.3-codex', 'GPT-5.3-Codex', released('2026-02-24'), GPT_5, REASONING),
  ...withSnapshot(
    chat('gpt-5.2-pro', 'GPT-5.2 pro', released('2025-12-11'), GPT_5, REASONING),
    'gpt-5.2-pro-2025-12-11',
    released('2025-12-11'),
  ),
  ...withSnapshot(
    chat('gpt-5.2', 'GPT-5.2', 1_765_313_051, GPT_5, REASONING),
    'gpt-5.2-2025-12-11',
    1_765_313_028,
  ),
  ...withSnapshot(
    chat('gpt-5.1', 'GPT-5.1', 1_762_800_673, GPT_5, REASONING),
    'gpt-5.1-2025-11-13',
    1_762_800_353,
  ),
  ...withSnapshot(
    chat('gpt-5-pro', 'GPT-5 pro', released('2025-10-06'), GPT_5_PRO, REASONING),
    'gpt-5-pro-2025-10-06',
    released('2025-10-06'),
  ),
  ...withSnapshot(
    chat('gpt-5', 'GPT-5', 1_754_425_777, GPT_5, REASONING),
    'gpt-5-2025-08-07',
    1_754_075_360,
  ),
  ...withSnapshot(
    chat('gpt-5-mini', 'GPT-5 mini', 1_754_425_928, GPT_5, REASONING),
    'gpt-5-mini-2025-08-07',
    1_754_425_867,
  ),
  ...withSnapshot(
    chat('gpt-5-nano', 'GPT-5 nano', 1_754_426_384, GPT_5, REASONING),
    'gpt-5-nano-2025-08-07',
    1_754_426_303,
  ),
  ...withSnapshot(
    chat('gpt-4.1', 'GPT-4.1', 1_744_316_542, GPT_4_1, MULTIMODAL),
    'gpt-4.1-2025-04-14',
    1_744_315_746,
  ),
  ...withSnapshot(
    chat('gpt-4.1-mini', 'GPT-4.1 mini', 1_744_318_173, GPT_4_1, MULTIMODAL),
    'gpt-4.1-mini-2025-04-14',
    1_744_317_547,
  ),
  chat('gpt-4.1-nano', shutDown('GPT-4.1 nano'), 1_744_321_707, GPT_4_1, MULTIMODAL),
  ...withSnapshot(
    chat('o3-pro', 'o3-pro', released('2025-06-10'), O_LIMITS, O_SERIES),
    'o3-pro-2025-06-10',
    released('2025-06-10'),
  ),
  ...withSnapshot(
    chat('o3', 'o3', 1_744_225_308, O_LIMITS, O_SERIES),
    'o3-2025-04-16',
    1_744_133_301,
  ),
  chat('o4-mini', shutDown('o4-mini'), 1_744_225_351, O_LIMITS, O_SERIES),
  chat('gpt-4o-2024-11-20', 'GPT-4o', 1_739_331_543, GPT_4O, MULTIMODAL),
  ...withSnapshot(
    chat('gpt-4o', 'GPT-4o', 1_715_367_049, GPT_4O, MULTIMODAL),
    'gpt-4o-2024-08-06',
    1_722_814_719,
  ),
  ...withSnapshot(
    chat('gpt-4o-mini', 'GPT-4o mini', 1_721_172_741, GPT_4O, MULTIMODAL),
    'gpt-4o-mini-2024-07-18',
    1_721_172_717,
  ),
  chat(
    'gpt-3.5-turbo',
    shutDown('GPT-3.5 Turbo'),
    1_677_610_602,
    { contextLength: 16_385, maxOutputTokens: 4_096 },
    {
      input_modalities: ['text'],
      output_modalities: ['text'],
      supports_system_messages: true,
      supports_native_streaming: true,
      ...TOOLS,
    },
  ),

  image('gpt-image-2.6-sunburst', 'GPT Image 2.6 Sunburst', released('2026-11-04')),
  image('gpt-image-2.6-flare', 'GPT Image 2.6 Flare', released('2026-11-04')),
  image('gpt-image-2.5-sunburst', 'GPT Image 2.5 Sunburst', released('2026-09-08')),
  image('gpt-image-2.5-flare', 'GPT Image 2.5 Flare', released('2026-09-08')),
  ...withSnapshot(
    image('gpt-image-2', 'GPT Image 2', 1_776_399_795),
    'gpt-image-2-2026-04-21',
    1_776_399_994,
  ),
  image('gpt-image-1.5', 'GPT Image 1.5', 1_764_030_620, GPT_SIZES),
  image('gpt-image-1-mini', 'GPT Image 1 mini', 1_758_845_821, GPT_SIZES),
  image('gpt-image-1', shutDown('GPT Image 1'), 1_745_517_030, GPT_SIZES),
  {
    name: 'dall-e-3',
    endpoints: ['images'],
    description: 'DALL·E 3 (shut down by OpenAI on 2026-05-12)',
    created: 1_698_785_189,
    capabilities: {
      input_modalities: ['text'],
      output_modalities: ['image'],
      max_images: 1,
      sizes: ['1024x1024', '1792x1024', '1024x1792'],
    },
  },
  {
    ...image('dall-e-2', 'DALL·E 2 (shut down by OpenAI on 2026-05-12)', 1_698_798_177),
    capabilities: {
      input_modalities: ['text', 'image'],
      output_modalities: ['image'],
      max_images: 10,
      mask: true,
      sizes: ['256x256', '512x512', '1024x1024'],
    },
  },

  embedding('text-embedding-3-large', 1_705_953_180, {
    dimensions: 3072,
    supports_dimensions: true,
  }),
  embedding('text-embedding-3-small', 1_705_948_997, {
    dimensions: 1536,
    supports_dimensions: true,
  }),
  embedding('text-embedding-ada-002', 1_671_217_299, { dimensions: 1536 }),
];

function chat(
  name: string,
  description: string,
  created: number,
  limits: { contextLength: number; maxOutputTokens: number },
  capabilities: Capabilities,
): ModelSpec {
  return { name, endpoints: ['messages'], description, created, ...limits, capabilities };
}

function image(
  name: string,
  description: string,
  created: number,
  sizes?: readonly string[],
): ModelSpec {
  return {
    name,
    endpoints: ['images', 'image-edits'],
    description,
    created,
    capabilities: {
      input_modalities: ['text', 'image'],
      output_modalities: ['image'],
      max_images: 10,
      mask: true,
      ...(sizes && { sizes }),
    },
  };
}

/**
 * 2,048 inputs a call and 8,192 tokens an input:
 * https://developers.openai.com/api/docs/api-reference/embeddings
 */
function embedding(name: string, created: number, capabilities: Capabilities): ModelSpec {
  return {
    name,
    endpoints: ['embeddings'],
    created,
    contextLength: 8_192,
    capabilities: {
      input_modalities: ['text'],
      output_modalities: ['embedding'],
      max_input_items: 2_048,
      ...capabilities,
    },
  };
}

/** The undated name, which points to the snapshot, and the snapshot itself. */
function withSnapshot(spec: ModelSpec, snapshot: string, created: number): ModelSpec[] {
  return [
    { ...spec, aliasOf: `openai/${snapshot}` },
    { ...spec, name: snapshot, created },
  ];
}

/** OpenAI shut these down together; a base address of one's own may still serve them. */
function shutDown(name: string): string {
  return `${name} (shut down by OpenAI on 2026-10-23)`;
}

function released(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1_000;
}
