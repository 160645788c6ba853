import { Module } from '@nestjs/common';
import { Metrics } from './metrics.service.js';

@Module({ providers: [Metrics], exports: [Metrics] })
export class TelemetryModule {}
