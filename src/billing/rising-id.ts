import { randomUUIDv7 } from 'node:crypto';

/** A UUID of version 7, greater than every one that this process has made before. */
export function risingId(): string {
  const now = Date.now();
  count = now > millisecond ? 0 : count + 1;
  // More than 4,096 in a millisecond borrow from the next one; so does a clock that was set back.
  millisecond = Math.max(now, millisecond) + (count > MOST_COUNTED ? 1 : 0);
  count &= MOST_COUNTED;
  const time = millisecond.toString(16).padStart(12, '0');
  const place = count.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${place}${randomUUIDv7().slice(18)}`;
}

const MOST_COUNTED = 0xfff;
let millisecond = 0;
let count = 0;
