import { Module } from '@nestjs/common';
import { ModelsModule } from '../models/models.module.js';
import { Planner } from './planner.js';

@Module({ imports: [ModelsModule], providers: [Planner], exports: [Planner] })
export class RoutingModule {}
