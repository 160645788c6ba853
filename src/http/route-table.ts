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
      const meant = this.likelyMeant(path);
      const hint = meant === undefined ? '' : `. Did you mean ${meant}?`;
      return new GatewayError(404, 'unknown_url', `Unknown request URL: ${method} ${path}${hint}`);
    }
    const allow = [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)];
    return new GatewayError(405, 'method_not_allowed', `Method Not Allowed: ${method} ${path}`, {
      headers: { allow: allow.sort().join(', ') },
    });
  }

  /** The route that differs in nothing but what stands in front: it is a client's base URL that is wrong. */
  private likelyMeant(path: string): string | undefined {
    const end = withoutBase(path);
    return this.layers().find((layer) => withoutBase(layer.path) === end)?.path;
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

/** `/chat/completions` for all of `/v3/chat/completions`, `/v1/chat/completions` and `/v3//chat/completions`. */
function withoutBase(path: string): string {
  return path.replace(/\/+/g, '/').replace(/^(\/v\d)+(?=\/)|\/$/g, '');
}

/** Part of the router's own interface that its type declarations leave out. */
interface Matching {
  match(path: string): boolean;
}
