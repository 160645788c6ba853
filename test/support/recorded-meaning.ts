import { type Conversation } from './recorded-conversation.js';

/**
 * What a request comes to, however it is laid out: white space between texts, the wrapping of a
 * tool's result and a choice that says no more than the default are left aside.
 */
export function meaningOf({ system, turns, tools, choice, stop, ...rest }: Conversation): object {
  return {
    system: words(system.join('')),
    turns: turns.map(({ role, parts }) => ({
      role,
      text: words(parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('')),
      images: parts.flatMap((part) => ('image' in part ? [part.image.data ?? part.image.url] : [])),
      calls: parts.flatMap((part) =>
        'call' in part ? [{ name: part.call.name, input: part.call.input }] : [],
      ),
      results: parts.flatMap((part) => ('result' in part ? [bare(part.result.text)] : [])),
    })),
    tools: tools.map(({ name, description, schema }) => ({
      name,
      description: words(description ?? ''),
      properties: Object.keys(schema?.properties ?? {}).sort(),
    })),
    choice: choice?.type === 'auto' || tools.length === 0 ? undefined : choice,
    max: rest.max,
    temperature: rest.temperature,
    topP: rest.topP,
    stop,
  };
}

function words(text: string): string {
  return text.replace(/\s+/g, '');
}

/** A result as what is inside of it, because some formats want an object and others a text. */
function bare(text: string): unknown {
  let value: unknown = parsed(text);
  for (let depth = 0; depth < 3 && typeof value === 'object' && value !== null; depth++) {
    const [[name, inner] = [], ...others] = Object.entries(value);
    if (others.length > 0 || !WRAPPERS.has(String(name))) break;
    value = typeof inner === 'string' ? parsed(inner) : inner;
  }
  return typeof value === 'string' ? words(value) : value;
}

const WRAPPERS = new Set([
  ...['output', 'result', 'content', 'return_value', 'error', 'text', 'data', 'response'],
]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
