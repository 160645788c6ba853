import { Module } from '@nestjs/common';
import { TokenCounter } from './token-counter.js';
import { TokenDecoder } from './token-decoder.js';

/** Tokens, counted and decoded in a thread of their own. */
@Module({ providers: [TokenCounter, TokenDecoder], exports: [TokenCounter, TokenDecoder] })
export class TokensModule {}
