import { type Names } from '../dispatch/surface.js';

/** What Responses call what the neutral shape has; whatever else they have goes on under its own name. */
export const responsesNames: Names = {
  fields: new Map([
    ['messages', ['input']],
    ['system', ['instructions', 'input']],
    ['tools', ['tools', 'input']],
    ['tool_choice', ['tool_choice']],
    ['max_tokens', ['max_output_tokens']],
    ['output_config.format', ['text.format', 'output_config.format', 'output_format']],
    // A chat's, by which some formats name it.
    ['response_format', ['text.format', 'response_format']],
    ['output_config.effort', ['reasoning.effort', 'output_config.effort']],
    ['thinking', ['reasoning', 'thinking']],
    ['metadata.user_id', ['safety_identifier', 'user']],
  ]),
  members: new Map([
    ['input_schema', 'parameters'],
    ['tool_use_id', 'call_id'],
  ]),
};
