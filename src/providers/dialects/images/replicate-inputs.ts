import { type ImageCall, notTaken } from './image-request.js';
import { type Pixels, shapeOf, type Shapes, sizeText } from './image-size.js';
import { addressOf, checkCount, refuseMask, type Sources, sourcesOf } from './image-sources.js';

/** What a model on Replicate calls the inputs that OpenAI's format has under other names. */
export interface Inputs {
  /** Images that one prediction makes at the most, and the input that says how many. */
  readonly most: number;
  readonly count?: string;
  readonly size: (call: ImageCall, pixels: Pixels) => Readonly<Record<string, unknown>>;
  readonly sources: (call: ImageCall, sources: Sources) => Readonly<Record<string, unknown>>;
  /** Fields of OpenAI's that it takes under their own names. */
  readonly takes: readonly string[];
  /** Its word for the format. */
  readonly jpeg: 'jpg' | 'jpeg';
}

/** By the models' own pages, such as https://replicate.com/black-forest-labs/flux-2-pro/api/schema */
export function inputsOf(name: string): Inputs {
  const found = FAMILIES.find(([pattern]) => pattern.test(name));
  return { ...DIFFUSION, ...found?.[1] };
}

const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9', '9:21'];

/** The inputs that models have which are packed by their users. */
const DIFFUSION: Inputs = {
  most: 4,
  count: 'num_outputs',
  size: (_call, { width, height }) => ({ width, height }),
  sources: one('image'),
  takes: [],
  jpeg: 'jpg',
};

const FLUX: Partial<Inputs> = { size: shaped({ '': 1024 }), takes: ['output_format'] };
/** What it makes of an image has the shape of that. */
const FLUX_DEV: Partial<Inputs> = {
  ...FLUX,
  size: ofTextAlone(shaped({ '': 1024 })),
  sources: unmasked('image'),
};
const GOOGLE: Partial<Inputs> = {
  most: 1,
  sources: list('image_input', 14),
  takes: ['output_format'],
};

const GPT_IMAGE: Shapes = {
  ratios: ['1:1'],
  resolutions: { '': 1024 },
  documented: { '1536x1024': '3:2', '1024x1536': '2:3' },
};

const FLUX2: Partial<Inputs> = {
  most: 1,
  size: (_call, { width, height }) => ({ aspect_ratio: 'custom', width, height }),
  sources: list('input_images', 8),
  takes: ['output_format'],
};
const FLUX2_KLEIN: Partial<Inputs> = {
  ...FLUX2,
  size: shaped({ '1': 1024, '4': 2048 }, 'output_megapixels'),
  sources: list('images', 5),
};

const FAMILIES: readonly (readonly [RegExp, Partial<Inputs>])[] = [
  [/\/flux-2-klein/, FLUX2_KLEIN],
  [/\/flux-2-dev/, { ...FLUX2, sources: list('input_images', 4) }],
  [/\/flux-2-flex/, { ...FLUX2, sources: list('input_images', 10) }],
  [/\/flux-2-/, FLUX2],
  [/\/multi-image-kontext/, { ...FLUX, most: 1, sources: numbered('input_image', 2) }],
  [/\/flux-kontext/, { ...FLUX, most: 1, sources: unmasked('input_image') }],
  [/\/flux-(fill|\w+-inpaint)/, { ...FLUX_DEV, sources: one('image') }],
  [/\/flux-(krea|dev|schnell)/, FLUX_DEV],
  [/\/flux-.*-ultra/, { ...FLUX, size: shaped({ '': 2048 }), most: 1, sources: none }],
  [/\/flux-/, { ...FLUX, most: 1, sources: none }],
  [/\/nano-banana(?!-?pro|-?2)/, { ...GOOGLE, size: shaped({ '': 1024 }) }],
  [
    /\/nano-banana/,
    { ...GOOGLE, size: shaped({ '1K': 1024, '2K': 2048, '4K': 4096 }, 'resolution') },
  ],
  [/\/imagen-/, { ...GOOGLE, size: shaped({ '': 1024 }), sources: none }],
  [
    /\/gpt-image/,
    {
      most: 10,
      count: 'number_of_images',
      size: byShape(GPT_IMAGE),
      sources: list('input_images', 10),
      takes: [
        'output_format',
        'output_compression',
        'quality',
        'background',
        'moderation',
        'input_fidelity',
      ],
      jpeg: 'jpeg',
    },
  ],
  [
    /\/seedream-/,
    {
      most: 1,
      size: (_call, { width, height }) => ({ size: 'custom', width, height }),
      sources: list('image_input', 14),
    },
  ],
  [/\/ideogram-/, { most: 1, size: ofTextAlone(inPixels('resolution')), sources: one('image') }],
  [/\/recraft-/, { most: 1, size: inPixels('size'), sources: none }],
];

function inPixels(field: string): Inputs['size'] {
  return (_call, pixels) => ({ [field]: sizeText(pixels) });
}

/** A changed image keeps its own. */
function ofTextAlone(size: Inputs['size']): Inputs['size'] {
  return (call, pixels) => {
    if (sourcesOf(call).length === 0) return size(call, pixels);
    throw notTaken(call, 'size', 'A changed image keeps its shape.');
  };
}

function shaped(resolutions: Shapes['resolutions'], field?: string): Inputs['size'] {
  return byShape({ ratios: RATIOS, resolutions }, field);
}

function byShape(shapes: Shapes, field?: string): Inputs['size'] {
  const ratios = [...shapes.ratios, ...Object.values(shapes.documented ?? {})].join(', ');
  return (call, pixels) => {
    const shape = shapeOf(pixels, shapes);
    if (!shape) throw notTaken(call, 'size', `Ask for an aspect_ratio of ${ratios}.`);
    return {
      aspect_ratio: shape.ratio,
      ...(field !== undefined && { [field]: shape.resolution }),
    };
  };
}

function one(field: string): Inputs['sources'] {
  return (call, sources) => {
    checkCount(call, sources, 1);
    const [image] = sources.images;
    return {
      ...(image && { [field]: addressOf(image) }),
      ...(sources.mask && { mask: addressOf(sources.mask) }),
    };
  };
}

function unmasked(field: string): Inputs['sources'] {
  const source = one(field);
  return (call, sources) => {
    refuseMask(call, sources);
    return source(call, sources);
  };
}

function list(field: string, most: number): Inputs['sources'] {
  return (call, sources) => {
    refuseMask(call, sources);
    checkCount(call, sources, most);
    const { images } = sources;
    return images.length === 0 ? {} : { [field]: images.map(addressOf) };
  };
}

function numbered(field: string, most: number): Inputs['sources'] {
  return (call, sources) => {
    refuseMask(call, sources);
    checkCount(call, sources, most);
    return Object.fromEntries(
      sources.images.map((image, index) => [`${field}_${index + 1}`, addressOf(image)]),
    );
  };
}

function none(call: ImageCall, sources: Sources): Record<string, unknown> {
  refuseMask(call, sources);
  checkCount(call, sources, 0);
  return {};
}
