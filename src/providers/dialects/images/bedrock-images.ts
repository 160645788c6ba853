import { bedrockCanvas } from './bedrock-canvas.js';
import { bedrockStability } from './bedrock-stability.js';
import { imageDialectBy, imageEndpoints } from './image-dialect.js';

/** Everything that draws on Bedrock, by InvokeModel in its maker's own body. */
export const bedrockImages = imageEndpoints(
  imageDialectBy((name) => (/(?:^|[./])stability\./.test(name) ? bedrockStability : bedrockCanvas)),
);
