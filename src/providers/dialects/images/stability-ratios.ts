/**
 * The shapes that Stability's models draw, on its own API and on Bedrock.
 * https://platform.stability.ai/docs/api-reference
 */
export const RATIOS = ['16:9', '1:1', '21:9', '2:3', '3:2', '4:5', '5:4', '9:16', '9:21'];
