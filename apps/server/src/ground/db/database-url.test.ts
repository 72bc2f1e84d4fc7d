import { expect, test } from 'vitest';
import { findDatabaseUrlFault, parseDatabaseUrl, redactDatabaseUrl } from './database-url.ts';

test('several hosts are read as libpq reads them: one URL for each, and the one that takes writes is meant', () => {
  expect(parseDatabaseUrl('postgres://me:w%40rd@a:5432,[::1]:5433,c/candela?sslmode=require')).toEqual({
    urls: [
      'postgres://me:w%40rd@a:5432/candela?sslmode=require',
      'postgres://me:w%40rd@[::1]:5433/candela?sslmode=require',
      'postgres://me:w%40rd@c/candela?sslmode=require',
    ],
    attributes: 'read-write',
    connectSeconds: undefined,
  });
  const asked = 'postgres://a,b/candela?connect_timeout=5&options=-c%20x%3Dy&target_session_attrs=primary';
  expect(parseDatabaseUrl(asked)).toEqual({
    urls: ['postgres://a/candela?options=-c%20x%3Dy', 'postgres://b/candela?options=-c%20x%3Dy'],
    attributes: 'primary',
    connectSeconds: 5,
  });
});

test('one host is taken as it is, and need not take writes', () => {
  for (const url of ['postgres://me@db/candela', 'postgresql:///candela?host=/run/postgresql'])
    expect(parseDatabaseUrl(url)).toEqual({ urls: [url], attributes: 'any', connectSeconds: undefined });
});

test('a URL that makes no sense is refused, and its password is not repeated', () => {
  const faultOf = (url: string) => findDatabaseUrlFault(url, 'of PostgreSQL');
  const faults = {
    'mysql://db/candela': 'must be a URL of PostgreSQL',
    'postgres://me:moon#light@db/candela': 'must be a URL of PostgreSQL',
    'postgres://me:12/moonlight@db/candela':
      'has an @ behind its hosts: write / in a password as %2F, and ? as %3F',
    'postgres://me:12?moonlight@db/candela':
      'has an @ behind its hosts: write / in a password as %2F, and ? as %3F',
    'postgres://me:moonlight@a:1,b:seven/candela': 'must be a URL of PostgreSQL',
    'postgres://me:moonlight@a,,b/candela': 'has an empty host among its hosts',
    'postgres://me:moonlight@a:1,b:1,a:1/candela': 'names the host a:1 twice',
    'postgres://a,b/candela?target_session_attrs=standby':
      'takes target_session_attrs any, read-write, primary, not "standby": the server writes to every database that it uses',
    'postgres://a/candela?connect_timeout=0': 'takes a connect_timeout from 1 to 60 seconds, not "0"',
    'postgres:///candela?host=a,b':
      'names several hosts before its path, as in postgres://user:password@host1:5432,host2:5432/candela',
  };
  for (const [url, fault] of Object.entries(faults)) expect([url, faultOf(url)]).toEqual([url, fault]);
  for (const url of ['postgres://a/candela', 'postgres://a:1,b:2/candela?target_session_attrs=read-write'])
    expect(faultOf(url)).toBeUndefined();
});

test('messages show hosts, user and database, and nothing secret', () => {
  expect(redactDatabaseUrl('postgres://me:word@a:5433,b/candela?sslpassword=word')).toBe(
    'postgres://me@a:5433,b/candela',
  );
});
