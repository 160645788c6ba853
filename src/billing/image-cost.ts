import { type AskedImage, mostImageTokens } from '../contract/image-tokens.js';
import { type Model, type Rates } from '../contract/model.js';
import { dearest, type Units } from '../contract/money.js';

/** The most that an image of a model may cost of which this is asked. */
export function imageCost(
  { perImage, ...rates }: Rates,
  { name }: Pick<Model, 'name'>,
  asked: AskedImage,
): Units {
  if (typeof perImage === 'bigint') return perImage;
  if (!perImage) {
    const tokens = BigInt(mostImageTokens(name, asked));
    return tokens * (rates.outputPerImageToken ?? rates.outputPerToken ?? 0n);
  }
  const { size, quality } = asked;
  const prices = Object.entries(perImage);
  const fitting = prices.filter(([kind]) => {
    const [listedSize, listedQuality] = kind.split('/');
    return fits(size, listedSize) && fits(quality, listedQuality);
  });
  return dearest(...(fitting.length > 0 ? fitting : prices).map(([, price]) => price));
}

/** Whether a price may be the one of an image for which this was asked. */
function fits(asked: unknown, listed: string | undefined): boolean {
  return typeof asked !== 'string' || asked === 'auto' || !listed || listed === asked;
}
