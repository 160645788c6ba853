import { Module } from '@nestjs/common';
import { Database } from './database.service.js';

/** The tables, in SQLite or PostgreSQL. */
@Module({ providers: [Database], exports: [Database] })
export class DatabaseModule {}
