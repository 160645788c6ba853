import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { DatabaseModule } from '../database/database.module.js';
import { uploadDirectories } from './directories.js';
import { DiskStore } from './disk-store.js';
import { FILE_STORE, type FileStore } from './file-store.js';
import { IncomingFiles } from './incoming-files.service.js';
import { S3Store } from './s3-store.js';
import { UploadCleaner } from './upload-cleaner.service.js';
import { UploadIntake } from './upload-intake.service.js';
import { UploadedFiles } from './uploaded-files.service.js';
import { UploadsController } from './uploads.controller.js';
import { Uploads } from './uploads.service.js';

/** Files of accounts, for requests that refer to them. */
@Module({
  imports: [DatabaseModule],
  controllers: [UploadsController],
  providers: [
    IncomingFiles,
    UploadCleaner,
    UploadIntake,
    UploadedFiles,
    Uploads,
    {
      provide: FILE_STORE,
      inject: [CONFIG, IncomingFiles],
      useFactory: (config: Config, incoming: IncomingFiles): FileStore =>
        config.objectStore
          ? new S3Store(config.objectStore, incoming, config)
          : new DiskStore(uploadDirectories(config.dataDir).stored),
    },
  ],
  exports: [FILE_STORE, UploadedFiles],
})
export class UploadsModule {}
