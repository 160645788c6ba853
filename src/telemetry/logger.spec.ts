import { describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that writes so many lines of a thousand characters and then ends, with nobody reading yet. */
function writer(lines: number, level = 'info'): ChildProcess {
  const script = `
    const { createLogger, flushed } = await import('./src/telemetry/logger.ts');
    const logger = createLogger('info', process.stdout);
    for (let line = 0; line < ${lines}; line++) logger.${level}({ line, text: 'x'.repeat(1_000) });
    process.stderr.write('written');
    process.stdin.once('data', () => flushed(logger).then(() => process.exit(0)));`;
  const args = ['--import', './test/support/typescript.mjs', '--input-type=module', '-e', script];
  return spawn(process.execPath, args, { stdio: 'pipe' });
}

describe('the log', () => {
  it('keeps no process from ending when nobody reads it', async () => {
    const child = writer(2_000);
    await once(child.stderr!, 'data');
    child.stdin!.write('end');
    expect(await once(child, 'exit')).toEqual([0, null]);
    child.stdout!.destroy();
  });

  it('keeps no process waiting that has a fault to tell', async () => {
    const child = writer(2_000, 'fatal');
    await once(child.stderr!, 'data');
    child.stdin!.write('end');
    expect(await once(child, 'exit')).toEqual([0, null]);
    child.stdout!.destroy();
  });

  it('drops what is too much to be kept, and says how many lines when it is read again', async () => {
    const child = writer(15_000);
    await once(child.stderr!, 'data');
    let text = '';
    let last = '';
    for await (const piece of child.stdout!.setEncoding('utf8') as AsyncIterable<string>) {
      text += piece;
      last = text.slice(text.lastIndexOf('\n', text.length - 2) + 1);
      if (last.includes('dropped') && last.endsWith('\n')) break;
    }
    child.stdin!.write('end');
    const said = text.trimEnd().split('\n');
    expect(said.length).toBeGreaterThan(6_000);
    expect(JSON.parse(last)).toMatchObject({ level: 40, lines: 15_001 - said.length });
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it.each([
    ['', 0],
    [' also for a reader that takes longer than a second', 60],
  ])('is written to its last line when the process ends%s', async (_, pauseMs) => {
    const child = writer(2_000);
    await once(child.stderr!, 'data');
    child.stdin!.write('end');
    let text = '';
    for await (const piece of child.stdout!.setEncoding('utf8') as AsyncIterable<string>) {
      text += piece;
      if (pauseMs > 0) await delay(pauseMs);
    }
    const numbers = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { line: number }).line);
    expect(numbers).toEqual(Array.from({ length: 2_000 }, (_, line) => line));
  });
});
