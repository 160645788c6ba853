import { describe, expect, it } from '@jest/globals';
import { type ConfigError, readConfig } from './read-config.js';

const problemsOf = (env: Record<string, string>) => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};
const AWS = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKID',
  AWS_SECRET_ACCESS_KEY: 'very-secret',
};

describe('settings of clouds', () => {
  it('reads what AWS and Google Cloud are reached by', () => {
    const config = readConfig({
      ...AWS,
      AWS_SESSION_TOKEN: 'token',
      VERTEX_PROJECT: 'my-project',
      VERTEX_REGION: 'europe-west4',
      GOOGLE_APPLICATION_CREDENTIALS: '/etc/key.json',
    });
    expect(config.aws).toEqual({
      region: 'eu-central-1',
      keys: { accessKeyId: 'AKID', secretAccessKey: 'very-secret', sessionToken: 'token' },
    });
    expect(config.googleCloud).toEqual({
      project: 'my-project',
      region: 'europe-west4',
      credentialsFile: '/etc/key.json',
    });
  });

  it('has one account of each: a second one with a number is refused, and not left unused', () => {
    const google = { VERTEX_PROJECT: 'p', GOOGLE_APPLICATION_CREDENTIALS: '/etc/key.json' };
    const second = {
      AWS_ACCESS_KEY_ID_2: 'AKID2',
      GOOGLE_APPLICATION_CREDENTIALS_2: '/etc/2.json',
    };
    expect(problemsOf({ ...AWS, ...google, ...second })).toEqual([
      'AWS_ACCESS_KEY_ID_2 is no setting: a cloud has one account and one region',
      'GOOGLE_APPLICATION_CREDENTIALS_2 is no setting: a cloud has one account and one region',
    ]);
    expect(problemsOf(second)).toEqual([]);
  });

  it('needs none of them, and a region alone switches nothing on', () => {
    expect(readConfig({})).toMatchObject({ aws: {}, googleCloud: { region: 'global' } });
    expect(readConfig({ AWS_REGION: 'us-east-1' }).aws).toEqual({ region: 'us-east-1' });
  });

  it.each<[string[], Record<string, string>]>([
    [['AWS_SECRET_ACCESS_KEY', 'AWS_REGION'], { AWS_ACCESS_KEY_ID: 'AKID' }],
    [['AWS_ACCESS_KEY_ID'], { AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'us-east-1' }],
    [
      ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
      { AWS_SESSION_TOKEN: 'token', AWS_REGION: 'us-east-1' },
    ],
    [['AWS_REGION'], { ...AWS, AWS_REGION: ' ' }],
    [['AWS_REGION'], { ...AWS, AWS_REGION: 'example.com/' }],
    [['AWS_REGION'], { BEDROCK_API_KEY: 'key' }],
    [[], { BEDROCK_API_KEY: 'key', BEDROCK_BASE_URL: 'http://127.0.0.1' }],
    [['GOOGLE_APPLICATION_CREDENTIALS'], { VERTEX_PROJECT: 'p' }],
    [['GOOGLE_APPLICATION_CREDENTIALS'], { VERTEX_REGION: 'us-east5' }],
    [['VERTEX_PROJECT'], { VERTEX_API_KEY: 'token' }],
    [['VERTEX_PROJECT'], { GOOGLE_APPLICATION_CREDENTIALS: '/etc/key.json' }],
    [['VERTEX_PROJECT'], { VERTEX_PROJECT: '../x', VERTEX_API_KEY: 'token' }],
    [[], { VERTEX_API_KEY: 'token', VERTEX_BASE_URL: 'http://127.0.0.1' }],
  ])('names %j as the problems of %j', (names, env) => {
    expect(problemsOf(env).map((problem) => problem.split(' ')[0])).toEqual(names);
  });

  it('names what is missing together with everything else, and repeats no secret', () => {
    const problems = problemsOf({
      PORT: 'x',
      AWS_SECRET_ACCESS_KEY: 'très-secret',
      VERTEX_PROJECT: 'p',
    });
    expect(problems).toHaveLength(5);
    expect(problems.join()).not.toContain('secret,');
    expect(problems.join()).not.toContain('très');
  });
});
