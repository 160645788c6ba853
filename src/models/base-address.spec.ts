import { describe, expect, it } from '@jest/globals';
import { checkBaseAddress } from './base-address.js';

const problem = (text: string, allowInsecure = false) => {
  const checked = checkBaseAddress(text, { allowInsecure });
  return 'problem' in checked ? checked.problem : undefined;
};

describe('checkBaseAddress', () => {
  it.each([
    'https://api.openai.com/v1',
    'https://api.anthropic.com',
    'https://10.0.0.5:8443/v1',
    'http://127.0.0.1:9900/p/openai',
    'http://localhost:11434',
    'http://LOCALHOST:11434/v1',
    'http://[::1]:8000/v1',
    'http://10.1.2.3:8000/v1',
    'http://172.31.255.255',
    'http://192.168.1.20/v1',
    'http://100.64.0.7:8000/v1',
    'http://[fd12:3456::1]:8000/v1',
    'http://vllm:8000/v1',
    'http://ollama.svc.internal/v1',
    'http://gpu.local/v1',
  ])('accepts %s', (text) => {
    expect(problem(text)).toBeUndefined();
    expect(checkBaseAddress(text, { allowInsecure: false })).toEqual({ url: new URL(text) });
  });

  it.each([
    'http://api.openai.com/v1',
    'http://8.8.8.8/v1',
    'http://172.32.0.1/v1',
    'http://[2001:db8::1]/v1',
    'http://10.0.0.5.example.com/v1',
    'http://localhost.example.com/v1',
  ])('wants https for %s, unless insecure addresses are allowed', (text) => {
    expect(problem(text)).toMatch(/https/);
    expect(problem(text, true)).toBeUndefined();
  });

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'https://169.254.0.1/v1',
    'https://2852039166/v1', // 169.254.169.254 as one number
    'https://0xa9.0xfe.0xa9.0xfe/v1',
    'https://0251.0376.0251.0376/v1',
    'https://[::ffff:169.254.169.254]/v1',
    'https://[64:ff9b::a9fe:a9fe]/v1',
    'https://[2002:a9fe:a9fe::1]/v1',
    'https://[fe80::1]/v1',
    'https://[fd00:ec2::254]/v1',
    'http://0.0.0.0:8000/v1',
    'http://[::]:8000/v1',
    'https://100.100.100.200/v1',
    'https://metadata.google.internal/v1',
    'https://METADATA.google.internal./v1',
    'http://metadata/v1',
    'http://instance-data/v1',
    'http://instance-data.ec2.internal/v1',
    'https://224.0.0.1/v1',
    'https://255.255.255.255/v1',
  ])('never accepts %s', (text) => {
    expect(problem(text)).toMatch(/metadata/);
    expect(problem(text, true)).toMatch(/metadata/);
  });

  it.each([
    '',
    'api.openai.com/v1',
    'localhost:8000',
    'ftp://10.0.0.5/v1',
    'file:///etc/passwd',
    'https:',
    'https://',
    'https:api.openai.com',
    'https://a b/v1',
  ])('does not take "%s" for an address', (text) => {
    expect(problem(text)).toMatch(/must be an address/);
  });

  it('refuses credentials, a query and a fragment, and does not repeat them', () => {
    expect(problem('https://user:hunter2@10.0.0.5/v1')).toMatch(/password/);
    expect(problem('https://10.0.0.5/v1?key=hunter2')).toMatch(/query/);
    expect(problem('https://10.0.0.5/v1#hunter2')).toMatch(/fragment/);
    expect(problem('https://10.0.0.5/v1?')).toMatch(/query/);
    expect(problem('https://user:hunter2@10.0.0.5/v1?key=hunter2#hunter2')).not.toMatch(/hunter2/);
  });
});
