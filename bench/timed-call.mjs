/**
 * Makes one conversation's call, whatever comes of it.
 *
 * @param pool undici's, of the gateway.
 * @returns `{sentMs, status, ms}`: `sentMs` as given, status 0 where no answer came.
 */
export async function timedCall(pool, { key, body }, sentMs) {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const status = await pool
    .request({ method: 'POST', path: '/v3/chat/completions', headers, body })
    .then(async (response) => {
      await response.body.dump();
      return response.statusCode;
    })
    .catch(() => 0);
  return { sentMs, status, ms: performance.now() - startedAt };
}
