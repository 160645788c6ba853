import { Module } from '@nestjs/common';
import { Metrics } from './metrics.service.js';

/** Metrics. */
@Module({ providers: [Metrics], exports: [Metrics] })
export class TelemetryModule {}
