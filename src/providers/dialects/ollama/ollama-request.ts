import { able } from '../../../contract/ability.js';
import { type NeutralRequest } from '../../../contract/neutral.js';
import { present } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { askedEffort, askedSchema, refuseAnthropicsOwn } from '../asked-output.js';
import { extraFields } from '../extra-fields.js';
import { ollamaMessages } from './ollama-messages.js';
import { tooling } from '../openai-chat/openai-chat-tools.js';

/**
 * The body of an Ollama chat call. Sampling goes into `options`, where parameters of the model's
 * runner that are given at the top are put too; other unknown fields (`keep_alive`, `think`, …)
 * travel on as they are. Users' ids have no field.
 * https://docs.ollama.com/api/chat
 *
 * @throws GatewayError 400 naming the field that cannot be translated.
 */
export function ollamaRequestBody(call: CallContext<'messages'>): Record<string, unknown> {
  const { request, model, stream } = call;
  refuseAnthropicsOwn(request);
  const {
    options: own,
    response_format: asked,
    stream_options: _usageIsAlwaysTold,
    ...extra
  } = extraFields(request);
  const isOption = ([name]: [string, unknown]) => OPTIONS.has(name);
  const fields = Object.entries(extra);
  return present({
    ...Object.fromEntries(fields.filter((field) => !isOption(field))),
    model: model.name,
    messages: ollamaMessages(request),
    tools: wantedTools(request),
    format: askedSchema(request) ?? (isJson(asked) ? 'json' : extra.format),
    think: thinking(request, able(model, 'thinking')) ?? extra.think,
    options: present({
      ...(own as object | undefined),
      ...Object.fromEntries(fields.filter(isOption)),
      num_predict: request.max_tokens,
      temperature: request.temperature,
      top_p: request.top_p,
      top_k: request.top_k,
      stop: request.stop_sequences?.length ? request.stop_sequences : undefined,
    }),
    // It streams unless it is told not to.
    stream,
  });
}

/**
 * Ollama has no `tool_choice`: the model always decides itself. What can be done is to offer no tool,
 * or the one that is wanted alone.
 */
function wantedTools(request: NeutralRequest): readonly object[] | undefined {
  const { tools, tool_choice: choice } = tooling(request);
  if (choice === 'none') return undefined;
  const forced = typeof choice === 'object' ? choice.function.name : undefined;
  return tools?.filter(({ function: called }) => called.name === (forced ?? called.name));
}

/** https://docs.ollama.com/modelfile#parameter */
const OPTIONS = new Set([
  'num_ctx',
  'num_keep',
  'num_batch',
  'num_gpu',
  'main_gpu',
  'num_thread',
  'num_predict',
  'seed',
  'min_p',
  'typical_p',
  'repeat_last_n',
  'repeat_penalty',
  'presence_penalty',
  'frequency_penalty',
  'mirostat',
  'mirostat_tau',
  'mirostat_eta',
  'penalize_newline',
  'use_mmap',
  'numa',
]);

function isJson(format: unknown): boolean {
  return (format as { type?: unknown } | null | undefined)?.type === 'json_object';
}

/**
 * A model that does not think refuses to be told to, but not to be told not to.
 * https://docs.ollama.com/capabilities/thinking
 */
function thinking(request: NeutralRequest, thinks: boolean): boolean | string | undefined {
  const { thinking: asked, output_config: config } = request;
  if (asked?.type === 'disabled') return false;
  if (!thinks) return undefined;
  if (typeof (config as { effort?: unknown } | null | undefined)?.effort === 'string') {
    return askedEffort(request);
  }
  return asked?.type === 'enabled' || asked?.type === 'adaptive' ? true : undefined;
}
