/**
 * `node bench/memory.mjs`: how much memory edits of large images take, one at a time and many at once,
 * above a gateway that does nothing. Exits with 1 when it is more than it may be.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const KEY = 'cw_live_of_the_bench_0123456789';
const FILE_BYTES = 20 * 1024 * 1024;
/** Edits at once, and the most MB that they may take. */
const RUNS = [
  [1, 60],
  [50, 400],
];
const MB = 1024 * 1024;

const { values } = parseArgs({
  options: {
    main: { type: 'string', default: fileURLToPath(new URL('../dist/main.js', import.meta.url)) },
    model: { type: 'string', default: 'openai/gpt-image-1' },
  },
});
const cache = fileURLToPath(new URL('../node_modules/.cache', import.meta.url));
mkdirSync(cache, { recursive: true });
const directory = mkdtempSync(join(cache, 'bench-'));
const upstream = await listening(answering());
const loader = values.main.endsWith('.ts') ? ['--import', './test/support/typescript.mjs'] : [];
const gateway = spawn(process.execPath, [...loader, values.main], {
  env: {
    PATH: process.env.PATH,
    PORT: '0',
    DATA_DIR: directory,
    LOG_LEVEL: 'warn',
    CAUSEWAY_API_KEY: KEY,
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `http://127.0.0.1:${upstream.address().port}/v1`,
    UPSTREAM_CONNECT_TIMEOUT_MS: '60000',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.once('exit', () => {
  gateway.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
});

const url = await addressOf(gateway);
const image = imageOf(FILE_BYTES);
const small = imageOf(50_000);
const [head, tail] = partsAround();
// The code is compiled, and the pools are made, before anything is measured.
for (let round = 0; round < 100; round++) await edit(small);
await delay(2_000);

let failed = false;
for (const [count, most] of RUNS) {
  const idle = residentMb();
  let peak = idle;
  const watch = setInterval(() => (peak = Math.max(peak, residentMb())), 10);
  const startedAt = performance.now();
  const statuses = await Promise.all(Array.from({ length: count }, () => edit(image)));
  clearInterval(watch);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const above = Math.round(peak - idle);
  const good = statuses.filter((status) => status === 200).length;
  const left = readdirSync(join(directory, 'tmp')).length;
  const passed = above < most && good === count && left === 0;
  failed ||= !passed;
  process.stdout.write(
    `${passed ? 'ok  ' : 'FAIL'} ${count} edits of 20 MB at once: ${above} MB above idle ` +
      `(${Math.round(idle)} MB; at most ${most}), ${good} answered in ${seconds} s, ${left} files left\n`,
  );
  await delay(3_000);
}
process.exit(failed ? 1 : 0);

/** A provider that throws away what it is sent. */
function answering() {
  const body = JSON.stringify({ created: 1, data: [{ b64_json: 'AAAA' }] });
  return createServer((incoming, response) => {
    incoming.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
  });
}

function listening(server) {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

function addressOf(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text;
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
      if (address) resolve(address);
    });
    child.once('close', () => reject(new Error(`the gateway did not start: ${output}`)));
  });
}

/** The header of a PNG of 4096 pixels on a side, and noise. */
function imageOf(bytes) {
  const file = Buffer.alloc(bytes, 0x5a);
  Buffer.from('89504e470d0a1a0a0000000d49484452000010000000100008060000', 'hex').copy(file);
  return file;
}

function partsAround() {
  const text = (name, value) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = `--b\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n`;
  return [text('model', values.model) + text('prompt', 'night') + file, '\r\n--b--\r\n'];
}

function edit(file) {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/v3/images/edits`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${KEY}`,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': head.length + file.length + tail.length,
      },
    });
    outgoing.once('error', reject).once('response', (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    outgoing.write(head);
    outgoing.write(file);
    outgoing.end(tail);
  });
}

function residentMb() {
  const [, kb] =
    /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${gateway.pid}/status`, 'utf8')) ?? [];
  return (Number(kb) * 1024) / MB;
}
