import { GEMINI_API, VERTEX } from '../gemini/gemini-host.js';
import { geminiImages } from './gemini-images.js';
import { imageDialectBy, imageEndpoints } from './image-dialect.js';
import { imagen } from './imagen.js';

const gemini = geminiImages({ ...GEMINI_API, takesFormat: false });
const imagenThere = imagen(GEMINI_API, { edits: false });

/** The models of the Gemini API that draw: Geminis, and Imagen until it was shut down. */
export const googleImages = imageEndpoints(
  imageDialectBy((name) => (isImagen(name) ? imagenThere : gemini)),
);

const vertexGemini = geminiImages({ ...VERTEX, takesFormat: true });
const vertexImagen = imagen(VERTEX, { edits: true });

/** The same on Vertex AI. */
export const vertexImages = imageEndpoints(
  imageDialectBy((name) => (isImagen(name) ? vertexImagen : vertexGemini)),
);

function isImagen(name: string): boolean {
  return /^(models\/)?(imagen|imagegeneration)/.test(name);
}
