/** Stands in a JSON body for a file's base64, which is read only as it is sent. */
export class Base64File {
  /** @param prefix what stands before the base64, such as `data:image/png;base64,`. */
  constructor(
    readonly file: Blob,
    readonly prefix = '',
  ) {}
}

/** A part of a `multipart/form-data` body. */
export type FormPart =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly file: Blob; readonly fileName: string };

/** What a call sends; a JSON body may hold `Base64File`s. */
export type UpstreamBody =
  | { readonly json: object }
  | { readonly bytes: readonly Uint8Array[] }
  | { readonly form: readonly FormPart[] };
