import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encoded, reply, thrown, trial } from '../../../../test/support/image-calls.js';
import { PROVIDERS } from '../../providers.js';

/** Recorded exchanges; not part of the project. */
const FOLDER = join('..', 'shared', 'fixtures', 'recorded');
const KINDS = '{bfl,fal,gemini,vertex,together,xai}/images.*/*.json';

interface Recording {
  readonly id: string;
  readonly provider: string;
  readonly model?: string | null;
  readonly request?: { readonly method?: string; readonly url?: string; readonly body?: any };
  readonly response: { readonly status: number; readonly body?: any };
}

const recorded = (
  existsSync(FOLDER) ? globSync([KINDS, 'replicate/predictions/*.json'], { cwd: FOLDER }) : []
)
  .sort()
  .map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Recording);

/** What a reader of the answer would call its images, in order. */
function imagesIn({ provider, response: { body } }: Recording): string[] {
  if (provider === 'bfl') return body.status === 'Ready' ? [body.result.sample] : [];
  if (provider === 'replicate') {
    const isDone = body.status === 'succeeded';
    return isDone ? [body.output].flat().filter((url: unknown) => typeof url === 'string') : [];
  }
  const parts = (body.candidates ?? []).flatMap((candidate: any) => candidate.content?.parts ?? []);
  return [
    ...(body.data ?? []).map((image: any) => image.b64_json ?? image.url),
    ...(body.images ?? []).map((image: any) => image.url.replace(/^data:[^,]*,/, '')),
    ...parts.flatMap((part: any) =>
      part.inlineData && !part.thought ? [part.inlineData.data] : [],
    ),
    ...(body.predictions ?? []).flatMap((one: any) => one.bytesBase64Encoded ?? one.gcsUri ?? []),
  ];
}

function idOf({ provider, model, request, response: { body } }: Recording): string {
  const name = provider === 'gemini' ? 'google' : provider;
  if (body?.predictions) return `${name}/imagen-4.0-generate-001`;
  // Some name the model in the path alone.
  const [, inPath] =
    /^https:\/\/(?:fal\.run|api[.\w]*\.bfl\.ai\/v1)\/(?!get_result)(.+)$/.exec(
      request?.url ?? '',
    ) ?? [];
  return `${name}/${inPath ?? model ?? body?.model ?? 'gemini-3-pro-image'}`;
}

const run = recorded.length > 0 ? describe : describe.skip;

run('Recorded answers about images (skipped where there is no corpus)', () => {
  const finished = recorded.filter((one) => imagesIn(one).length > 0);

  it.each(finished.map((one) => [one.id, one] as const))('%s', (_id, one) => {
    const { codec, call } = trial(idOf(one));
    const answer = reply(one.response.body);
    expect(codec.next?.(answer, call)).toBeUndefined();
    const { decodeError } = PROVIDERS.find(({ name }) => idOf(one).startsWith(`${name}/`))!;
    expect(decodeError(answer)).toBeUndefined();
    const { result, usage } = codec.decode([answer], call);
    expect(result.data.map(({ b64_json, url }) => b64_json ?? url)).toEqual(imagesIn(one));
    expect(Number.isInteger(result.created)).toBe(true);
    expect(usage?.images).toBe(imagesIn(one).length);
  });

  it('are there', () => {
    expect(finished.length).toBeGreaterThan(20);
  });

  const unfinished = recorded.filter((one) => ['bfl', 'replicate'].includes(one.provider));
  it.each(unfinished.map((one) => [one.id, one] as const))(
    '%s: asks on until it is done',
    (_id, one) => {
      const { status, output, polling_url: address, urls } = one.response.body;
      if (one.response.status >= 400 || !(status ?? address)) return;
      const { codec, call } = trial(idOf(one));
      const asked = codec.next!(reply(one.response.body), call, {
        ...{ method: 'GET', path: 'https://asked.example', from: 'reply', framing: 'none' },
      });
      const isOver = ['Ready', 'succeeded', 'canceled', 'failed'].includes(status);
      const where = address ?? urls?.get ?? 'https://asked.example';
      expect(asked?.path).toBe(isOver ? undefined : where);
      if (status === 'canceled') {
        expect(thrown(() => codec.decode([reply(one.response.body)], call)).status).toBe(502);
        expect(output).toBeFalsy();
      }
    },
  );
});

run('Recorded requests for images are what the gateway sends', () => {
  const told = recorded.filter(({ provider, request }) => {
    return (
      ['together', 'xai', 'bfl', 'fal'].includes(provider) &&
      request?.body &&
      request.method === 'POST'
    );
  });

  it.each(told.map((one) => [one.id, one] as const))('%s', (_id, one) => {
    const { model: _inTheId, prompt, image, images, ...own } = one.request!.body;
    const sources = [image, images]
      .flat()
      .filter(Boolean)
      .map(({ url }: any) => ({ url }));
    const [call] = encoded(idOf(one), {
      ...{ prompt, ...own },
      ...(sources.length > 0 && { images: sources }),
    });
    const { json } = call!.body as { json: Record<string, unknown> };
    // How the bytes are to come is asked of fal by a word of its own.
    const { response_format: format, ...expected } = one.request!.body;
    if (one.provider !== 'fal' && format !== undefined) expected.response_format = format;
    expect(JSON.parse(JSON.stringify(json))).toEqual(expected);
    expect(new URL(one.request!.url!).pathname.endsWith(call!.path)).toBe(true);
  });
});
