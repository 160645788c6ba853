import { askAdmin, newAccount } from './admin.mjs';
import { faultOf, isLeft } from './soak-upstream.mjs';
import { kindOf, numberOf } from './soak-traffic.mjs';

const GRANTED_USD = 1_000_000;
/** A sum, of which a number has six decimals for sure. */
const about = (usd) => BigInt(Math.round(usd * 1e6)) * 1_000_000n;
/** A record's cost, which is small enough to have all of its twelve decimals. */
const exact = (usd) => BigInt(Math.round(usd * 1e12));

/** The account whose calls are paid for, as the gateway's books have it. */
export class Books {
  #gateway;
  #account;
  key;

  static async open(gateway) {
    const books = new Books();
    books.#gateway = gateway;
    const { id, key } = await newAccount(gateway, { name: 'soak', credits: GRANTED_USD });
    books.#account = id;
    books.key = key;
    return books;
  }

  /** What was granted is what is left, held and spent. */
  async balance() {
    const { credits } = await askAdmin(this.#gateway, `accounts/${this.#account}`);
    const { balance, held, spent } = credits;
    const off = Math.abs(balance + held + spent - GRANTED_USD);
    return { balance, held, spent, agrees: off < 1e-6 };
  }

  /**
   * Reads every record and compares it with what the provider said.
   *
   * @param sent numbers from 1 up to this were sent.
   * @returns what is wrong, a line each.
   */
  async audit(sent) {
    const seen = new Uint8Array(sent + 1);
    const wrong = [];
    let cost = 0n;
    for await (const row of this.#rows()) {
      const number = numberOf(row.request_id);
      const { cost: due } = kindOf(number);
      seen[number] += 1;
      cost += exact(row.cost);
      const expected = row.outcome === 'ok' && due ? due(number) : undefined;
      if (expected !== undefined && expected !== exact(row.cost)) {
        wrong.push(`${row.request_id} cost ${row.cost}, not ${Number(expected) / 1e12}`);
      }
      const isSure = !isLeft(number) && !faultOf(number);
      if (isSure && row.outcome !== 'ok') wrong.push(`${row.request_id} is ${row.outcome}`);
    }
    for (let number = 1; number <= sent; number++) {
      const due = kindOf(number).cost ? 1 : 0;
      // A caller may have left before anything was known of the request.
      if (seen[number] === due || (isLeft(number) && seen[number] === 0)) continue;
      wrong.push(`soak_${number} has ${seen[number]} records`);
    }
    const { held, spent, agrees } = await this.balance();
    if (!agrees) wrong.push('balance, held and spent are not what was granted');
    if (held !== 0) wrong.push(`${held} USD are still held`);
    const off = cost - about(spent);
    if (off > 1_000_000n || off < -1_000_000n) {
      wrong.push(`records cost ${Number(cost) / 1e12} USD, the ledger has ${spent}`);
    }
    return wrong;
  }

  async *#rows() {
    let cursor = '';
    do {
      const page = await askAdmin(
        this.#gateway,
        `requests?account_id=${this.#account}&limit=1000${cursor && `&cursor=${cursor}`}`,
      );
      yield* page.data;
      cursor = page.next_cursor ? encodeURIComponent(page.next_cursor) : '';
    } while (cursor);
  }
}
