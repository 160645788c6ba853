/** How a provider wants its key: data, so that it can be listed and tested. */
export type Auth =
  | { readonly type: 'bearer' }
  | { readonly type: 'header'; readonly name: string; readonly prefix?: string }
  /** AWS Signature Version 4, or a bearer key where there is one. */
  | { readonly type: 'aws-signature'; readonly service: string }
  /** A token for Google's service account, or a ready one where there is one. */
  | { readonly type: 'google-oauth' }
  | { readonly type: 'none' };
