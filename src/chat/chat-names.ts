import { type Names } from '../dispatch/surface.js';

/** What a chat calls what the neutral shape has; whatever else it has goes on under its own name. */
export const chatNames: Names = {
  fields: new Map([
    ['messages', ['messages']],
    ['system', ['messages']],
    ['tools', ['tools', 'functions', 'web_search_options']],
    ['tool_choice', ['tool_choice', 'function_call']],
    ['max_tokens', ['max_completion_tokens', 'max_tokens']],
    ['stop_sequences', ['stop', 'stop_sequences']],
    ['output_config.format', ['response_format', 'output_config.format', 'output_format']],
    ['output_config.effort', ['reasoning_effort', 'reasoning', 'output_config.effort']],
    ['thinking', ['thinking', 'reasoning_effort', 'reasoning']],
    ['metadata.user_id', ['user', 'safety_identifier', 'metadata.user_id']],
  ]),
  members: new Map([
    ['input_schema', 'parameters'],
    ['tool_use_id', 'tool_call_id'],
  ]),
};
