/** What the router made of one model, as `causeway_metadata` and `POST /v3/route` tell it. */
export interface Candidate {
  readonly model: string;
  /** The higher the better, comparable within one request only; null for a model left out. */
  readonly score: number | null;
  /** It has not answered lately, so that it stands behind the others. */
  readonly failing?: true;
  /** Why it was left out. */
  readonly dropped?: string;
}
