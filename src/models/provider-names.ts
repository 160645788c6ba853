/** A provider's name: the prefix of its models' ids and, in upper case, of its variables. */
export const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
