/** One of several keys or addresses of a provider. */
export interface Deployment {
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
  /** Its share of the calls beside the others' weights; more than 0. */
  readonly weight: number;
}

/** By what a deployment is known again when the settings were read anew, or elsewhere: its key is in it. */
export function identityOf({ baseUrl, apiKey = '' }: Deployment): string {
  return `${apiKey} ${baseUrl.href}`;
}
