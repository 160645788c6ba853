/** The name by which a request asks for whichever model is best. */
export const ROUTER = '@router';
