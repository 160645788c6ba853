import { describe, expect, it } from '@jest/globals';
import { errorBody, Refusal } from './refusal.js';

describe('errorBody', () => {
  it.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [402, 'billing_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
    [418, 'invalid_request_error'],
    [429, 'rate_limit_error'],
    [500, 'api_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
    [599, 'api_error'],
  ])("is Anthropic's for %i", (status, type) => {
    expect(errorBody('anthropic', new Refusal(status, 'no'), 'req_1')).toEqual({
      type: 'error',
      error: { type, message: 'no' },
      request_id: 'req_1',
    });
  });

  it.each([
    [400, 'invalid_request_error', null],
    [401, 'invalid_request_error', 'invalid_api_key'],
    [404, 'invalid_request_error', 'model_not_found'],
    [429, 'requests', 'rate_limit_exceeded'],
    [500, 'server_error', null],
    [503, 'server_error', null],
  ])("is OpenAI's for %i", (status, type, code) => {
    expect(errorBody('openai', new Refusal(status, 'no'), 'req_1')).toEqual({
      error: { message: 'no', type, param: null, code },
    });
  });

  it('names the field that is at fault', () => {
    const refusal = new Refusal(400, 'no', { param: 'n', code: 'invalid_value' });
    expect(errorBody('openai', refusal, 'req_1')).toMatchObject({
      error: { param: 'n', code: 'invalid_value' },
    });
  });
});
