import { askedText, type ImageCall } from './image-request.js';

/**
 * Format and quality of the images as Google takes them; undefined where neither is asked for.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerationConfig#ImageOutputOptions,
 * …/docs/model-reference/imagen-api#output-options
 */
export function googleImageOutput(call: ImageCall): object | undefined {
  const format = askedText(call, 'output_format');
  const { output_compression: quality } = call.request;
  if (format === undefined && typeof quality !== 'number') return undefined;
  return {
    ...(format !== undefined && { mimeType: `image/${format}` }),
    ...(typeof quality === 'number' && { compressionQuality: quality }),
  };
}
