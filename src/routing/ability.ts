/** What not every model can do. */
export type Ability =
  | 'image_input'
  | 'document_input'
  | 'audio_input'
  | 'video_input'
  | 'image_output'
  | 'audio_output'
  | 'tools'
  | 'tool_choice'
  | 'web_search'
  | 'structured_output'
  | 'thinking';
