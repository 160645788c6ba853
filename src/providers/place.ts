/** Where in a cloud a provider is reached, for formats whose paths name it. */
export interface Place {
  readonly project?: string;
  readonly region?: string;
  /** The path of the base address, without a closing slash. */
  readonly path?: string;
}
