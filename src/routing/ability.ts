/** What not every model can do, in the order in which it is looked for. */
export const ABILITIES = [
  'image_input',
  'document_input',
  'audio_input',
  'video_input',
  'image_output',
  'audio_output',
  'tools',
  'tool_choice',
  'web_search',
  'structured_output',
  'thinking',
] as const;

/** One of them. */
export type Ability = (typeof ABILITIES)[number];
