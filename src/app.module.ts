import { type DynamicModule, Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { AdminModule } from './admin/admin.module.js';
import { UsageModule } from './billing/usage.module.js';
import { ChatModule } from './chat/chat.module.js';
import { ConfigModule } from './config/config.module.js';
import { type Config } from './config/config.js';
import { DatabaseModule } from './database/database.module.js';
import { EmbeddingsModule } from './embeddings/embeddings.module.js';
import { HealthModule } from './health/health.module.js';
import { HttpModule } from './http/http.module.js';
import { ImagesModule } from './images/images.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { ModelsModule } from './models/models.module.js';
import { OverloadModule } from './overload/overload.module.js';
import { PlansModule } from './plans/plans.module.js';
import { ResponsesModule } from './responses/responses.module.js';
import { UploadsModule } from './uploads/uploads.module.js';

/** Every feature of the gateway. */
@Module({})
export class AppModule {
  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.with(config),
        HttpModule,
        DatabaseModule,
        AccountsModule,
        OverloadModule,
        ModelsModule,
        MessagesModule,
        ChatModule,
        ResponsesModule,
        PlansModule,
        EmbeddingsModule,
        ImagesModule,
        UploadsModule,
        UsageModule,
        AdminModule,
        HealthModule,
      ],
    };
  }
}
