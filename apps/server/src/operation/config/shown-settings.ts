import { redactDatabaseUrl } from '../../ground/db/database-url.ts';
import type { Env, OnRead } from './environment-reader.ts';

/** A setting as an operator is shown it: nothing of a secret. */
export interface ShownSetting {
  name: string;
  /** What counts, the default included; `none` where nothing is set. */
  value: string;
  from: 'environment' | 'file' | 'default';
  /** The file that `NAME_FILE` names. */
  file?: string;
}

type Read = readonly [kind: Parameters<OnRead>[1], value: unknown];

/** Texts of these names are secrets, of settings to come too. */
const SECRET = /SECRET|KEYS?$|PASSWORD|TOKEN|CREDENTIAL/;

const showSecret = (value: unknown): string => {
  const count = Array.isArray(value) ? value.length : 0;
  return Array.isArray(value) ? `set, ${count} ${count === 1 ? 'key' : 'keys'}` : 'set';
};

/** A URL without what may be secret: of a gateway, its path too. */
const showUrl = (name: string, url: string): string => {
  if (name.startsWith('DATABASE_')) return redactDatabaseUrl(url);
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
};

const isNothing = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

const show = (name: string, [kind, value]: Read, isSet: boolean): string => {
  if (isNothing(value)) return isSet ? 'not valid' : 'none';
  if (kind === 'text' && SECRET.test(name)) return showSecret(value);
  if (kind === 'url') return showUrl(name, String(value));
  return [value].flat().join(', ');
};

/** Records which settings are read, and what they come to. */
export const createSettingsRecord = (env: Env) => {
  const reads = new Map<string, Read>();
  const onRead: OnRead = (name, kind, value) => {
    // Read as a text too, a URL stays a URL.
    if (kind !== 'text' || (reads.get(name)?.[0] ?? 'text') === 'text') reads.set(name, [kind, value]);
  };

  const sourceOf = (name: string): Pick<ShownSetting, 'from' | 'file'> => {
    if (env[name]) return { from: 'environment' };
    const file = env[`${name}_FILE`];
    return file ? { from: 'file', file } : { from: 'default' };
  };
  return {
    onRead,
    /** In the order in which they were first read. */
    list: (): ShownSetting[] =>
      [...reads].map(([name, read]) => {
        const source = sourceOf(name);
        return { name, value: show(name, read, source.from !== 'default'), ...source };
      }),
  };
};
