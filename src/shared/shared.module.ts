import { Module } from '@nestjs/common';
import { ClusterModule } from '../cluster/cluster.module.js';
import { RedisModule } from '../redis/redis.module.js';
import { SharedMemory } from './shared-memory.service.js';

/** What the processes of a gateway remember together. */
@Module({
  imports: [ClusterModule, RedisModule],
  providers: [SharedMemory],
  exports: [SharedMemory],
})
export class SharedModule {}
