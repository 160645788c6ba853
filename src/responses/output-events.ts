import { type Fields } from '../json/values.js';

/** Tells the caller of an event; its number is added where it is written. */
export type Emit = (type: string, fields: object) => void;

/** What the events of one output item have in common. */
export interface ItemPlace {
  readonly item_id: string;
  readonly output_index: number;
}

/** How an output item has ended. */
export type ItemStatus = 'completed' | 'incomplete';

/** An output item that a model is writing. */
export interface OpenItem {
  /** Takes a delta of the neutral shape. */
  add(delta: Fields): void;
  /** The neutral block is over; the item may go on with the next one. */
  endBlock?(): void;
  /** The whole item, when it is over. */
  end(status: ItemStatus): object;
}
