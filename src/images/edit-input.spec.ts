import { describe, expect, it } from '@jest/globals';
import { type GatewayError } from '../contract/gateway-error.js';
import { fromJson } from './edit-input.js';
import { EditSources } from './edit-sources.service.js';
import { RequestFiles } from './request-files.js';

const WHOLE = 'data:image/png;base64,AAAA';
const BROKEN = 'data:image/png;base64,AA AA';

async function refused(images: string[], mask?: string): Promise<unknown> {
  const value = {
    model: 'a/b',
    prompt: 'x',
    images: images.map((url) => ({ image_url: url })),
    ...(mask !== undefined && { mask: { image_url: mask } }),
  };
  const files = new RequestFiles(() => '');
  const input = await fromJson({ value, bytes: Buffer.alloc(0), edits: new Map() }, files);
  try {
    new EditSources(undefined as never, undefined as never).checkAddresses(input);
    return undefined;
  } catch (error) {
    const { status, code, details } = error as GatewayError;
    return [status, code, details.param];
  }
}

describe('the images of an edit in JSON', () => {
  it.each([
    [[WHOLE, BROKEN], undefined, 'images[1].image_url'],
    [['http://x.org/a.png', BROKEN], undefined, 'images[0].image_url'],
    [[BROKEN, 'http://x.org/a.png'], undefined, 'images[0].image_url'],
    [[WHOLE], BROKEN, 'mask.image_url'],
  ])('refuses the first one that cannot be read: %j, mask %j', async (images, mask, param) => {
    expect(await refused(images, mask)).toEqual([400, 'invalid_image_url', param]);
  });

  it('takes those that can be', async () => {
    expect(await refused([WHOLE, 'https://x.org/a.png'], WHOLE)).toBeUndefined();
  });
});
