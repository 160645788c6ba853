import { type Model } from '../contract/model.js';

const DRILL = /^sandbox\/(error-[45]\d\d|slow-\d{1,7}|stall|cut-stream)$/;

/**
 * The sandbox's fault drills: models that fail, wait or break off as their name says. They are served
 * when named, at the price of `sandbox/echo`, but not listed, so nobody meets one by chance.
 */
export function drillOf(id: string, find: (id: string) => Model | undefined): Model | undefined {
  const name = DRILL.exec(id)?.[1];
  const echo = name === undefined ? undefined : find('sandbox/echo');
  if (!echo || name === undefined) return undefined;
  return { ...echo, id, name, description: 'Fault drill', listed: false };
}
