import { type Environment } from '../config/environment.js';

/**
 * A function that blots secrets out of a text: the values of every setting that is a key or holds a
 * password, and `more`. Those outside whose errors are repeated may have repeated what they were
 * sent.
 */
export function concealing(env: Environment, more: readonly string[] = []) {
  const secrets = Object.entries(env).flatMap(([name, value = '']) =>
    secretsIn(name, value.trim()),
  );
  const all = [...new Set([...secrets, ...more])]
    .filter((secret) => secret.length >= SHORTEST)
    .sort((one, other) => other.length - one.length);
  return (text: string): string =>
    all.reduce((rest, secret) => rest.replaceAll(secret, BLOT), text);
}

const BLOT = '[secret]';
/** Anything shorter, such as the `none` of a server that wants no key, is a word of its own. */
const SHORTEST = 6;
const SECRET_NAME = /KEY|SECRET|TOKEN|PASSWORD|PEPPER|CREDENTIAL/;

function secretsIn(name: string, value: string): readonly string[] {
  if (name === 'GOOGLE_APPLICATION_CREDENTIALS') return [];
  if (SECRET_NAME.test(name)) return [value];
  const [, userAndPassword = ''] = /^[a-z+]+:\/\/([^/?#]*)@/i.exec(value) ?? [];
  const [, password = ''] = /^[^:]*:(.*)$/.exec(userAndPassword) ?? [];
  return [password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
