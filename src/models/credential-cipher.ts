import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/**
 * A provider's key, sealed with AES-256-GCM so that it opens under the same encryption key and for
 * the same provider only.
 */
export function seal(secret: string, provider: string, encryptionKey: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, encryptionKey, nonce).setAAD(Buffer.from(provider));
  const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** The secret that was sealed. @throws Error when it was not sealed so. */
export function unseal(ciphertext: string, provider: string, encryptionKey: Buffer): string {
  const bytes = Buffer.from(ciphertext, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, encryptionKey, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(provider))
    .setAuthTag(tag);
  const opened = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([opened, decipher.final()]).toString('utf8');
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
