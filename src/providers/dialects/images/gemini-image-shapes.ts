import { type Shapes } from './image-size.js';

const FLASH_2_5 = {
  ...{ '1024x1024': '1:1', '832x1248': '2:3', '1248x832': '3:2', '864x1184': '3:4' },
  ...{ '1184x864': '4:3', '896x1152': '4:5', '1152x896': '5:4', '768x1344': '9:16' },
  ...{ '1344x768': '16:9', '1536x672': '21:9' },
} as const;

const GEMINI_3 = {
  ...{ '1024x1024': '1:1', '848x1264': '2:3', '1264x848': '3:2', '896x1200': '3:4' },
  ...{ '1200x896': '4:3', '928x1152': '4:5', '1152x928': '5:4', '768x1376': '9:16' },
  ...{ '1376x768': '16:9', '1584x672': '21:9' },
} as const;

const TEN_RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];
const FOURTEEN_RATIOS = [...TEN_RATIOS, '1:4', '4:1', '1:8', '8:1'];
const UP_TO_4K: Shapes['resolutions'] = { '1K': 1024, '2K': 2048, '4K': 4096 };

/**
 * The sizes of a Gemini that draws. Before the third generation there is one resolution, which has no
 * name. https://ai.google.dev/gemini-api/docs/image-generation#aspect_ratios
 */
export function geminiShapes(name: string): Shapes {
  if (/^gemini-2\./.test(name)) {
    return { ratios: TEN_RATIOS, resolutions: { '': 1024 }, documented: FLASH_2_5 };
  }
  if (name.includes('flash-lite-image')) {
    return { ratios: TEN_RATIOS, resolutions: { '1K': 1024 }, documented: GEMINI_3 };
  }
  if (name.startsWith('gemini-3-pro')) {
    return { ratios: TEN_RATIOS, resolutions: UP_TO_4K, documented: GEMINI_3 };
  }
  const takesHalf = name.startsWith('gemini-3.1-flash-image');
  const resolutions = takesHalf ? { '512': 512, ...UP_TO_4K } : UP_TO_4K;
  return { ratios: FOURTEEN_RATIOS, resolutions, documented: GEMINI_3 };
}
