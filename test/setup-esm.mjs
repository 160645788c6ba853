// Jest runs a CommonJS dependency while it links the ESM graph. A CommonJS package that requires
// ESM-only Nest (throttler does) would meet it half loaded ("Cannot require() ES Module ... in a
// cycle"), so Nest is evaluated first, here.
import 'reflect-metadata';
import '@nestjs/common';
import '@nestjs/core';
