/** What the router made of one model, as `causeway_metadata` and `POST /v3/route` tell it. */
export interface Candidate {
  readonly model: string;
  /** The higher the better, comparable within one request only; null for a model left out. */
  readonly score: number | null;
  /** Why it was left out. */
  readonly dropped?: string;
}
