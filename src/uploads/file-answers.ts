import { GatewayError } from '../contract/gateway-error.js';
import { isoOf } from '../http/moment.js';
import { type FileList, type FileResponse } from './dto/file-response.dto.js';
import { type UploadRow } from './upload-rows.js';
import { type PageAsked } from './uploads.service.js';

/** A file as its account sees it. */
export function fileOf(row: UploadRow): FileResponse {
  return {
    file_id: row.id,
    file_name: row.file_name,
    file_size: row.file_size,
    file_mimetype: row.media_type,
    purpose: row.purpose,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    created_at: isoOf(row.created_at),
    expires_at: isoOf(row.expires_at),
  };
}

/** A page of files as their account sees it. */
export function fileListOf(
  { rows, total }: { rows: readonly UploadRow[]; total: number },
  { page, limit }: PageAsked,
): FileList {
  return { items: rows.map(fileOf), total, page, limit, total_pages: Math.ceil(total / limit) };
}

/** The 404 for a file that is not there, or is somebody else's. */
export function fileNotFound(): GatewayError {
  return new GatewayError(404, 'file_not_found', 'File not found');
}
