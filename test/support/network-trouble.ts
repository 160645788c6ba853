import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type DatabaseSettings } from './databases.js';

/** Stands between a pool and its PostgreSQL server, and is the network's bad days. */
export class TroubledNetwork {
  private readonly pairs: Pair[] = [];
  private newOnesAreSilent = false;
  private lossy: string | undefined;

  private readonly proxy = createServer((client) => {
    const server = connect(this.serverPort, '127.0.0.1');
    const pair = { client, server, silent: this.newOnesAreSilent, held: [] };
    this.pairs.push(pair);
    this.forward(pair, client, server);
    this.forward(pair, server, client);
  });

  private constructor(private readonly serverPort: number) {}

  /** The settings of a database, with this network in between. */
  static async before({ DATABASE_URL, ...settings }: DatabaseSettings) {
    const url = new URL(DATABASE_URL ?? '');
    const network = new TroubledNetwork(Number(url.port));
    await once(network.proxy.listen(0, '127.0.0.1'), 'listening');
    url.port = String((network.proxy.address() as AddressInfo).port);
    return { network, settings: { ...settings, DATABASE_URL: url.href } };
  }

  /** Keeps back all that is sent, over the connections that are open, or over new ones as well. */
  silence(which: 'open' | 'all'): void {
    this.newOnesAreSilent = which === 'all';
    for (const pair of this.pairs) pair.silent = true;
  }

  speak(): void {
    this.newOnesAreSilent = false;
    for (const pair of this.pairs) {
      pair.silent = false;
      for (const send of pair.held.splice(0)) send();
    }
  }

  /** Breaks a connection when the server answers the next statement that begins so. */
  loseAnswerTo(statement: string): void {
    this.lossy = statement;
  }

  close(): void {
    this.proxy.close();
    for (const { client, server } of this.pairs) {
      client.destroy();
      server.destroy();
    }
  }

  private forward(pair: Pair, from: Socket, to: Socket): void {
    from.on('error', () => undefined);
    from.on('close', () => to.destroy());
    from.on('data', (bytes) => {
      if (this.lossy !== undefined && bytes.includes(this.lossy)) {
        this.lossy = undefined;
        pair.server.removeAllListeners('data').on('data', () => pair.client.destroy());
      }
      if (pair.silent) pair.held.push(() => to.write(bytes));
      else to.write(bytes);
    });
  }
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  silent: boolean;
  readonly held: (() => void)[];
}
