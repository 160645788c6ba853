import { type Model } from '../contract/model.js';

const DRILL = /^sandbox\/(error-[45]\d\d|slow-\d{1,7}|stall|cut-stream)$/;

/**
 * The sandbox's fault drills: models that fail, wait or break off as their name says. They are served
 * when named, wherever one of its listed models is and at their prices, but not listed, so nobody meets one
 * by chance.
 */
export function drillOf(id: string, find: (id: string) => Model | undefined): Model | undefined {
  const name = DRILL.exec(id)?.[1];
  const echo = name === undefined ? undefined : find('sandbox/echo');
  if (!echo || name === undefined) return undefined;
  const others = ['sandbox/image', 'sandbox/embedding'].flatMap((other) => find(other) ?? []);
  const all = [...others, echo].reduce((one, other) => ({
    ...other,
    endpoints: [...one.endpoints, ...other.endpoints],
    pricing: { ...one.pricing, ...other.pricing },
    capabilities: { ...one.capabilities, ...other.capabilities },
  }));
  return { ...all, id, name, description: 'Fault drill', listed: false };
}
