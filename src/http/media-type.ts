/** Whether a `content-type` is JSON: `application/json` or `application/…+json`. */
export function isJson(contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1);
  return /^application\/(?:[^/,\s]*\+)?json$/i.test(type.trim());
}

/** Whether a `content-type` declares no charset, or UTF-8. */
export function isDeclaredUtf8(contentType: string | undefined): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType ?? '')?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}
