/** Asks a gateway's management API, with a body by POST. @throws for every answer but a good one. */
export async function askAdmin({ url, adminKey }, path, body) {
  const response = await fetch(`${url}/v3/admin/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.ok) return response.json();
  throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
}

/** Makes an account. @returns its id, and the text of a key of it. */
export async function newAccount(gateway, account) {
  const { id } = await askAdmin(gateway, 'accounts', account);
  const { key } = await askAdmin(gateway, `accounts/${id}/keys`, { name: account.name });
  return { id, key };
}
