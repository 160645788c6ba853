import { type ValidationEntry } from '../contract/gateway-error.js';
import { type BodyCheck } from '../http/body-check.js';
import { unprocessable } from '../http/body-refusals.js';
import { validationEntries } from '../http/validation-entries.js';
import { type UploadForm } from './dto/file-requests.dto.js';
import { type Form, type FormFile } from './form-reader.js';

/** A form with everything in it that an upload needs. */
export interface CheckedForm {
  readonly file: FormFile;
  readonly fields: Pick<UploadForm, 'expires_in_days' | 'purpose'>;
}

/** The form, with defaults. @throws GatewayError 422 with every problem that it has. */
export function checkedForm({ file, fields }: Form, { check }: BodyCheck): CheckedForm {
  // In a form, an empty text is how a field is left out.
  const given = [...fields].filter(([, value]) => value !== '');
  const value = Object.fromEntries(given.map(([name, text]) => [name, text ?? A_FILE]));
  const { problems } = check(value);
  const entries = [...fileEntries(file), ...validationEntries(problems), ...nullEntries(value)];
  if (entries.length === 0 && typeof file === 'object') {
    return { file, fields: value as unknown as CheckedForm['fields'] };
  }
  throw unprocessable(entries);
}

/** In the place of a text; it is of no type that a field may have. */
const A_FILE = {};

function fileEntries(file: Form['file']): readonly ValidationEntry[] {
  const loc = ['body', 'file'];
  if (file === undefined) return [{ type: 'missing', loc, msg: 'Field required' }];
  if (file !== 'text') return [];
  const error = "Expected UploadFile, received: <class 'str'>";
  return [{ type: 'value_error', loc, msg: `Value error, ${error}`, ctx: { error: {} } }];
}

/** No database keeps U+0000 in a text. */
function nullEntries({ purpose }: Readonly<Record<string, unknown>>): readonly ValidationEntry[] {
  if (typeof purpose !== 'string' || !purpose.includes('\0')) return [];
  const msg = 'Value error, null characters are not allowed';
  return [{ type: 'value_error', loc: ['body', 'purpose'], msg, ctx: { error: {} } }];
}
