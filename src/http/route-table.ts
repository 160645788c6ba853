import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Express } from 'express';
import { GatewayError } from '../contract/gateway-error.js';

/** A registered route: its path pattern and its methods in upper case. */
interface Route {
  readonly path: string;
  readonly methods: readonly string[];
}

/** Knows every route that Express was given. */
@Injectable()
export class RouteTable {
  constructor(private readonly adapter: HttpAdapterHost) {}

  /** Every route, as it was registered. */
  routes(): readonly Route[] {
    return this.layers().map(({ path, methods }) => ({ path, methods }));
  }

  /** The error for a request that met no route: 405 where another method would have, else 404. */
  missing(method: string, path: string): GatewayError {
    const methods = this.layers()
      .filter((layer) => layer.matches(path))
      .flatMap((layer) => layer.methods);
    if (methods.length === 0) {
      return new GatewayError(404, 'unknown_url', `Unknown request URL: ${method} ${path}`);
    }
    const allow = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)];
    return new GatewayError(405, 'method_not_allowed', `Method Not Allowed: ${method} ${path}`, {
      headers: { allow: allow.sort().join(', ') },
    });
  }

  private layers(): (Route & { matches: (path: string) => boolean })[] {
    const { stack } = this.adapter.httpAdapter.getInstance<Express>().router;
    return stack.flatMap((layer) => {
      const { route } = layer;
      if (!route) return [];
      return {
        path: route.path,
        methods: [...new Set(route.stack.map(({ method }) => method.toUpperCase()))],
        matches: (path: string) => (layer as unknown as Matching).match(path),
      };
    });
  }
}

/** Part of the router's own interface that its type declarations leave out. */
interface Matching {
  match(path: string): boolean;
}
