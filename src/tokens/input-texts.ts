import { isTextType } from '../contract/attachments.js';
import { listOf } from '../json/values.js';
import { TOKENS_PER_ATTACHMENT } from '../contract/seen-images.js';
import { TOKENS_PER_MARK, TOKENS_PER_PAGE } from './estimate.js';
import { estimatePages, pdfAllowance } from './pdf-estimate.js';

/** What of a Messages request a model reads. */
export interface InputTexts {
  readonly texts: readonly string[];
  /** For what is no text: attachments, and the marks between turns, blocks and tools. */
  readonly tokens: number;
}

/** The texts of a Messages request, or of one that only looks like it; it is never refused. */
export function inputTexts(body: unknown): InputTexts {
  const texts: string[] = [];
  const pdfs = pdfAllowance();
  let tokens = 0;
  const text = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (value !== undefined && value !== null) texts.push(JSON.stringify(value));
  };
  const source = (value: unknown): void => {
    const { type, data, media_type: mediaType, content: inside } = fields(value);
    if (type === 'text') text(data);
    else if (type === 'content') content(inside);
    else if (typeof data === 'string' && isTextType(mediaType)) {
      text(Buffer.from(data, 'base64').toString());
    } else {
      const pages = typeof data === 'string' ? estimatePages(data, pdfs) : 0;
      tokens += pages === 0 ? TOKENS_PER_ATTACHMENT : TOKENS_PER_PAGE * pages;
    }
  };
  const block = (value: unknown): void => {
    const { type, ...rest } = fields(value);
    if (type === 'text') text(rest.text);
    else if (type === 'thinking') text(rest.thinking);
    else if (type === 'image') tokens += TOKENS_PER_ATTACHMENT;
    else if (type === 'document') {
      text(rest.title);
      text(rest.context);
      source(rest.source);
    } else if (type === 'tool_use' || type === 'server_tool_use') {
      tokens += TOKENS_PER_MARK;
      text(rest.name);
      text(rest.input);
    } else if (type === 'tool_result') {
      tokens += TOKENS_PER_MARK;
      content(rest.content);
    } else if (type !== 'redacted_thinking') text(value);
  };
  const content = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(block);
    else text(value);
  };
  const { messages, system, tools, output_config: config } = fields(body);
  content(system);
  for (const turn of listOf(messages)) {
    tokens += TOKENS_PER_MARK;
    content(fields(turn).content);
  }
  for (const tool of listOf(tools)) {
    const { name, description, input_schema: schema, ...own } = fields(tool);
    tokens += TOKENS_PER_MARK;
    text(name);
    text(description);
    text(schema ?? own);
  }
  text(fields(fields(config).format).schema);
  return { texts, tokens };
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
