/** One of several keys or addresses of a provider. */
export interface Deployment {
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
  /** Its share of the calls beside the others' weights; more than 0. */
  readonly weight: number;
}
