import { ApiProperty } from '@nestjs/swagger';
import { Field, JsonObject, OptionalField } from '../../validation/field-decorators.js';
import { int, listOf, text, uuid } from '../../validation/value-rule.js';

/** The form that a file is uploaded by. */
@JsonObject({ answersWith: 'http-validation' })
export class UploadForm {
  @ApiProperty({ type: 'string', format: 'binary', description: 'The file, of at most 100 MB.' })
  file!: unknown;

  @OptionalField(int({ ge: 1, le: 30 }), {
    whenAbsent: 30,
    description: 'After how many days it is deleted by itself.',
  })
  expires_in_days!: number;

  @OptionalField(text({ least: 1, most: 50 }), {
    whenAbsent: 'general',
    description: 'What it is for, such as `assistants` or `ocr`.',
  })
  purpose!: string;
}

/** Which files are asked for. */
@JsonObject({ answersWith: 'http-validation' })
export class ListFilesQuery {
  @OptionalField(text({ most: 50 }), { description: 'Only files that were uploaded for this.' })
  purpose?: string;

  @OptionalField(int({ ge: 1 }), { whenAbsent: 1, description: 'Which page, from 1.' })
  page!: number;

  @OptionalField(int({ ge: 1, le: 1000 }), { whenAbsent: 100, description: 'How many a page has.' })
  limit!: number;
}

/** Which files are to be deleted. */
@JsonObject({ answersWith: 'http-validation' })
export class DeleteFilesBody {
  @Field(listOf(uuid(), { least: 1, most: 100 }), {
    description: 'Their ids; unknown ones are passed over.',
  })
  file_ids!: string[];
}
