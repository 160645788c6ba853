const sampling = {
  temperature: 'How freely the model chooses its words; 0 is the most predictable.',
  top_p: 'Choose among the likeliest tokens whose probabilities reach this sum.',
};
const objectType = 'What kind of object this is.';
const image = {
  prompt: 'What the image shows. At most 32,000 characters, counted as code points.',
};

/** What fields mean, by schema, where the DTO does not say it itself. */
export const FIELD_DESCRIPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AnthropicContentBlock: {
    type: 'The kind of block, such as `text`, `image`, `tool_use` or `tool_result`.',
    text: 'The text of a `text` block.',
    id: 'The id of a `tool_use` block.',
    name: 'The tool that a `tool_use` block calls.',
    input: 'The arguments that a `tool_use` block calls its tool with.',
    tool_use_id: 'The call that a `tool_result` block answers.',
    content: 'The content of a `tool_result` or `document` block: text, or blocks.',
    is_error: 'Whether the tool of a `tool_result` block failed.',
    source: 'Where an `image` or `document` comes from; of a `search_result`, its address.',
    thinking: 'The text of a `thinking` block.',
    signature: 'What proves that a `thinking` block is the model’s own.',
  },
  AnthropicMessage: { role: 'Who speaks.' },
  AnthropicMessagesBody: {
    ...sampling,
    top_k: 'Choose among this many of the likeliest tokens.',
    stop_sequences: 'Texts that end the message where the model writes them.',
    tool_choice: 'Whether the model may, must or must not call a tool, and which one.',
    metadata: 'Kept in the request log; `user_id` says who the request is for.',
    thinking: 'How much the model may think before it answers.',
  },
  CountTokensBody: {
    tool_choice: 'As in the message whose tokens are counted.',
    thinking: 'As in the message whose tokens are counted.',
  },
  ChatCompletionsBody: {
    ...sampling,
    messages: 'The conversation so far.',
    stream_options: '`include_usage` asks for a last chunk with the usage and the cost.',
    n: 'How many answers to make.',
    stop: 'Texts that end an answer where the model writes them.',
    tool_choice: 'Whether the model may, must or must not call a tool, and which one.',
    response_format: 'The form of the answer: text, JSON, or JSON of a schema.',
  },
  CreateEmbeddingsBody: {
    encoding_format: 'Whether the vectors come as numbers or as base64.',
  },
  CreateImageBody: image,
  CreateImageEditBody: image,
  ValidationError: {
    msg: 'What is wrong, in words for a person.',
    type: 'What is wrong, for programs.',
  },
  HTTPValidationError: { detail: 'Every problem.' },
  ModelRegion: { code: 'The region, for programs.', name: 'The region, for a person.' },
  ModelObject: {
    object: objectType,
    description: 'What the model is, in words for a person.',
    source: 'Where the model comes from, when that is known.',
    discount: 'The part of the list price that is taken off, from 0 to 1.',
  },
  ModelList: { object: objectType, data: 'The models.' },
  ModelGroup: {
    object: objectType,
    mode: 'What the model does.',
    endpoint_count: 'How many providers offer it.',
    endpoints: 'The offers.',
  },
  ModelGroupList: { object: objectType, data: 'The groups.' },
  AnthropicModel: {
    type: objectType,
    id: 'The model as `provider/model`.',
    display_name: 'The model, for a person.',
  },
};
