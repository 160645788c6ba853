/** The settings as they are given: by name, each a text. */
export type Environment = Readonly<Record<string, string | undefined>>;
