import { ApiProperty } from '@nestjs/swagger';

/** A file that was uploaded. */
export class FileResponse {
  @ApiProperty({
    format: 'uuid',
    description: 'Its id, by which other endpoints take it.',
    example: '0b6f1f2e-8d0c-4c53-9a57-3f1f6a1d2c4b',
  })
  file_id!: string;

  @ApiProperty({ description: 'The name that it was uploaded under.', example: 'prices.csv' })
  file_name!: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Its length in bytes.' })
  file_size!: number;

  @ApiProperty({
    description: 'Its media type, detected from its content.',
    example: 'text/csv',
  })
  file_mimetype!: string;

  @ApiProperty({ description: 'What it was uploaded for.', example: 'general' })
  purpose!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'What its content says: `width` and `height` of an image, `page_count` of a PDF.',
    example: {},
  })
  metadata!: Record<string, unknown>;

  @ApiProperty({ format: 'date-time', description: 'When it was uploaded.' })
  created_at!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it is deleted by itself.',
  })
  expires_at!: string | null;
}

/** A file that has just been uploaded. */
export class UploadResponse extends FileResponse {}

/** A page of the files of an account. */
export class FileList {
  @ApiProperty({ type: () => [FileResponse], description: 'The files, newest first.' })
  items!: FileResponse[];

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many there are on all pages.' })
  total!: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'The number of this page.' })
  page!: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'How many a page has at most.' })
  limit!: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many pages there are.' })
  total_pages!: number;
}

/** What became of a request to delete files. */
export class DeletedFiles {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'How many files were deleted.' })
  deleted_count!: number;
}
