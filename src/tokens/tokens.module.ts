import { Module } from '@nestjs/common';
import { TokenCounter } from './token-counter.js';

@Module({ providers: [TokenCounter], exports: [TokenCounter] })
export class TokensModule {}
