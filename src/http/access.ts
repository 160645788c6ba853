import { SetMetadata } from '@nestjs/common';
import { type Scope } from '../contract/caller.js';

/** The metadata of `Public`. */
export const PUBLIC_ROUTE = 'causeway:public';
/** The metadata of `RequireScope`. */
export const REQUIRED_SCOPE = 'causeway:scope';

/** Marks a route that answers without a key. Every route without this mark is guarded. */
export const Public = () => SetMetadata(PUBLIC_ROUTE, true);

/** The scope that a key needs on this route; without the mark it is `inference`. */
export const RequireScope = (scope: Scope) => SetMetadata(REQUIRED_SCOPE, scope);
