/** What a model of Stability's is served by, and which parts it takes. */
export interface Operation {
  /** Below `/v2beta/stable-image`. */
  readonly path: string;
  /** Part that names the model where one path serves several. */
  readonly model?: string;
  /** Whether it begins with an image: never, if one is given, or always. */
  readonly image: 'never' | 'may' | 'must';
  readonly mask: boolean;
  /** It is told nothing: what it does needs no words. */
  readonly silent?: boolean;
  /** The side of the square that it makes, where it can be told a shape. */
  readonly side?: number;
}

/** https://platform.stability.ai/docs/api-reference#tag/Generate, …#tag/Edit, …#tag/Control */
export function stabilityOperation(name: string): Operation | undefined {
  if (/^sd3/.test(name)) {
    return { path: '/generate/sd3', model: name, side: 1024, image: 'may', mask: false };
  }
  return OPERATIONS.get(name);
}

const EDIT = { image: 'must', mask: false } as const;

const OPERATIONS: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['stable-image-ultra', { path: '/generate/ultra', side: 1024, image: 'may', mask: false }],
  ['stable-image-core', { path: '/generate/core', image: 'never', mask: false }],
  ['inpaint', { ...EDIT, path: '/edit/inpaint', mask: true }],
  ['erase', { ...EDIT, path: '/edit/erase', mask: true, silent: true }],
  ['outpaint', { ...EDIT, path: '/edit/outpaint' }],
  ['search-and-replace', { ...EDIT, path: '/edit/search-and-replace' }],
  ['search-and-recolor', { ...EDIT, path: '/edit/search-and-recolor' }],
  ['remove-background', { ...EDIT, path: '/edit/remove-background', silent: true }],
  ['sketch', { ...EDIT, path: '/control/sketch' }],
  ['structure', { ...EDIT, path: '/control/structure' }],
  ['style', { ...EDIT, path: '/control/style' }],
]);
