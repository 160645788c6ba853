import { Controller, Delete, Get, HttpCode, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '../contract/caller.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { ApiQueries } from '../http/api-query.js';
import { ApiRoute } from '../http/api-route.js';
import { type GatewayRequest } from '../http/gateway-request.js';
import { Context } from '../http/request-context.js';
import { readUuid } from '../validation/uuid.js';
import { UuidParam } from '../http/uuid-param.js';
import { ValidBody } from '../http/valid-body.js';
import { ValidQuery } from '../http/valid-query.js';
import { DeleteFilesBody, ListFilesQuery } from './dto/file-requests.dto.js';
import { type DeletedFiles, type FileList, type FileResponse } from './dto/file-response.dto.js';
import { fileListOf, fileNotFound, fileOf } from './file-answers.js';
import { UploadIntake } from './upload-intake.service.js';
import {
  DELETE_ALL_FILES,
  DELETE_FILE,
  DELETE_FILES,
  FileIdParam,
  GET_FILE,
  LIST_FILES,
  LIST_QUERIES,
  UPLOAD_FILE,
} from './uploads-docs.js';
import { Uploads } from './uploads.service.js';

/** The files of an account. */
@ApiTags('Uploads')
@Controller('v3/upload')
export class UploadsController {
  constructor(
    private readonly uploads: Uploads,
    private readonly intake: UploadIntake,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiRoute(UPLOAD_FILE)
  async upload(
    @Context() { caller }: RequestContext,
    @Req() request: GatewayRequest,
  ): Promise<FileResponse> {
    return fileOf(await this.intake.receive(request, caller.accountId));
  }

  @Get()
  @ApiRoute(LIST_FILES)
  @ApiQueries(LIST_QUERIES)
  async list(
    @Context() { caller }: RequestContext,
    @ValidQuery(ListFilesQuery) query: ListFilesQuery,
  ): Promise<FileList> {
    return fileListOf(await this.uploads.list(caller.accountId, query), query);
  }

  @Delete()
  @ApiRoute(DELETE_ALL_FILES)
  async deleteAll(@Context() { caller }: RequestContext): Promise<DeletedFiles> {
    return { deleted_count: await this.uploads.delete(caller.accountId, 'all') };
  }

  @Post('delete')
  @HttpCode(200)
  @ApiRoute(DELETE_FILES)
  async deleteMany(
    @Context() { caller }: RequestContext,
    @ValidBody(DeleteFilesBody) { value }: CheckedBody<DeleteFilesBody>,
  ): Promise<DeletedFiles> {
    const readings = value.file_ids.map(readUuid);
    const ids = readings.flatMap((reading) => ('uuid' in reading ? [reading.uuid] : []));
    return { deleted_count: await this.uploads.delete(caller.accountId, ids) };
  }

  @Get(':file_id')
  @FileIdParam
  @ApiRoute(GET_FILE)
  async get(
    @Context() { caller }: RequestContext,
    @UuidParam('file_id') id: string,
  ): Promise<FileResponse> {
    const row = await this.uploads.find(caller.accountId, id);
    if (!row) throw fileNotFound();
    return fileOf(row);
  }

  @Delete(':file_id')
  @FileIdParam
  @ApiRoute(DELETE_FILE)
  async delete(
    @Context() { caller }: RequestContext,
    @UuidParam('file_id') id: string,
  ): Promise<DeletedFiles> {
    const deleted_count = await this.uploads.delete(caller.accountId, [id]);
    if (deleted_count === 0) throw fileNotFound();
    return { deleted_count };
  }
}
