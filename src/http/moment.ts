/**
 * The Unix milliseconds of a moment: ISO 8601 (UTC where it names no zone), or Unix seconds or
 * milliseconds; undefined when it is none of them.
 */
export function momentOf(value: string | number): number | undefined {
  const text = String(value).trim();
  if (/^\d{1,15}(\.\d+)?$/.test(text)) {
    const number = Number(text);
    // The seconds of the year 5138, or the milliseconds of 1973.
    return Math.round(number < 1e11 ? number * 1_000 : number);
  }
  const [, date, time, zone = 'Z'] = ISO.exec(text) ?? [];
  if (date === undefined || !isInCalendar(date)) return undefined;
  const at = Date.parse(time === undefined ? date : `${date}T${time}${zone}`);
  return Number.isNaN(at) ? undefined : at;
}

/** Whether a month has that day: the parser takes 30 February for 2 March. */
function isInCalendar(date: string): boolean {
  const midnight = Date.parse(date);
  return !Number.isNaN(midnight) && isoOf(midnight).startsWith(date);
}

/** A moment as the management API writes it. */
export function isoOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const ISO = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?([Zz]|[+-]\d\d:\d\d)?)?$/;
