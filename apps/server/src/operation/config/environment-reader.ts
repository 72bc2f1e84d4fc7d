import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isUnownedScheme } from '@candela/contract/rules/client-uri';
import { parseOrigin } from '../../branding/brand/origin.ts';
import { findDatabaseUrlFault } from '../../ground/db/database-url.ts';
import { parseHost } from '../../ground/outbound/outbound-request.ts';

/** The environment of a process. */
export type Env = Record<string, string | undefined>;

/**
 * Hears of each setting that is read: `value` is what counts, the default included; undefined where nothing is set,
 * or what is set is wrong. A setting may be read several times: the last time counts.
 */
export type OnRead = (name: string, kind: 'text' | 'url' | 'plain', value: unknown) => void;

/** Stands in for an origin that is wrong, so that the other settings can still be checked. */
const STAND_IN = 'http://localhost:3000';

const POSTGRES_KIND =
  'such as postgres://user:password@host:5432/candela; what is not a letter or digit in a password is percent-encoded';

/** Notes what is wrong with a setting. */
type Blame = (name: string, problem: string) => void;

/** Reads the text of a setting; undefined where it is not set, or its file cannot be read. */
const createTextReader = (env: Env, blame: Blame) => {
  const readFile = (name: string, path: string): string | undefined => {
    try {
      const content = readFileSync(path, 'utf8').trim();
      if (content === '') blame(name, `${name}_FILE ${path} is empty`);
      return content || undefined;
    } catch (error) {
      blame(name, `${name}_FILE cannot be read: ${(error as Error).message}`);
      return undefined;
    }
  };
  const read = (name: string): string | undefined => {
    const [value, path] = [env[name], env[`${name}_FILE`]];
    // Who rotates by the file would keep what an old variable says.
    if (value && path)
      blame(name, `${name} and ${name}_FILE are both set: keep the one that is meant, and unset the other`);
    return value || (path ? readFile(name, path) : undefined);
  };
  const known = new Map<string, string | undefined>();
  return (name: string): string | undefined => {
    if (!known.has(name)) known.set(name, read(name));
    return known.get(name);
  };
};

/** Reads a whole number within bounds. `shown` says what counts where it is not set, and is no one number. */
const createIntegerReader =
  (text: (name: string) => string | undefined, blame: Blame, onRead: OnRead) =>
  <Fallback extends number | undefined>(
    name: string,
    fallback: Fallback,
    { min = 0, max = 2 ** 31 - 2, shown }: { min?: number; max?: number; shown?: string } = {},
  ): number | Fallback => {
    const value = text(name);
    const number = Number(value);
    const isRight = value !== undefined && /^\d+$/.test(value) && number >= min && number <= max;
    if (value !== undefined && !isRight)
      blame(name, `${name} must be a whole number from ${min} to ${max}, not "${value}"`);
    onRead(name, 'plain', isRight ? number : (fallback ?? (value === undefined ? shown : undefined)));
    return isRight ? number : fallback;
  };

/** Reads a URL of PostgreSQL, with one host or several. */
const createDatabaseUrlReader =
  (text: (name: string) => string | undefined, blame: Blame, onRead: OnRead) =>
  (name: string): string | undefined => {
    const value = text(name);
    const fault = value === undefined ? undefined : findDatabaseUrlFault(value, POSTGRES_KIND);
    // The value is not repeated: it may hold a password.
    if (fault) blame(name, `${name} ${fault}`);
    const url = fault ? undefined : value;
    onRead(name, 'url', url);
    return url;
  };

/** Reads texts and lists of them. */
const createTextsReader = (env: Env, blame: Blame, onRead: OnRead) => {
  const read = createTextReader(env, blame);
  const text = <Fallback extends string | undefined = undefined>(
    name: string,
    fallback?: Fallback,
  ): string | Fallback => {
    const value = read(name) ?? (fallback as Fallback);
    onRead(name, 'text', value);
    return value;
  };
  const list = (name: string): string[] => {
    const values = (text(name) ?? '')
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    onRead(name, 'text', values);
    return values;
  };
  /** Hosts, as `parseHost` spells them; `words` may stand in their place. */
  const hosts = (name: string, words: readonly string[] = []): string[] => {
    const before = words.length > 0 ? `${words.join(', ')}, or ` : '';
    return list(name).flatMap((value) => {
      const host = parseHost(value);
      if (!host)
        blame(
          name,
          `${name} must be ${before}hosts such as hub.internal or hub.internal:8443, not "${value}"`,
        );
      return host ?? [];
    });
  };
  /** Private schemes of native apps, without their colons. */
  const schemes = (name: string): string[] =>
    list(name).filter((value) => {
      const isScheme = isUnownedScheme(value);
      if (!isScheme)
        blame(
          name,
          `${name} must be schemes of apps such as cursor,vscode, without a dot or colon, not "${value}"`,
        );
      return isScheme;
    });
  return { text, list, hosts, schemes };
};

export type EnvironmentReader = ReturnType<typeof createReader>;

/** Reads shares from 0 to 1. */
const createShareReader =
  (text: (name: string) => string | undefined, blame: Blame, onRead: OnRead) =>
  (name: string, fallback: number): number => {
    const value = text(name);
    const isRight = value === undefined || /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(value);
    if (!isRight) blame(name, `${name} must be a share from 0 to 1, not "${value}"`);
    const found = isRight && value !== undefined ? Number(value) : fallback;
    onRead(name, 'plain', found);
    return found;
  };

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/** An address of a machine, or its name. */
const isHost = (value: string): boolean => isIP(value) !== 0 || HOST_NAME.test(value);

/** Reads where a server listens. */
const createHostReader =
  (text: (name: string) => string | undefined, blame: Blame, onRead: OnRead) =>
  (name: string, fallback: string): string => {
    const value = text(name) ?? fallback;
    const isRight = isHost(value);
    if (!isRight)
      blame(name, `${name} must be an address or a name of this machine, such as 0.0.0.0, not "${value}"`);
    onRead(name, 'plain', isRight ? value : undefined);
    return isRight ? value : fallback;
  };

/** Reads beginnings of phone numbers. Each is answered with its plus, which an operator may leave out. */
const createPhonePrefixReader =
  (list: (name: string) => string[], blame: Blame, onRead: OnRead) =>
  (name: string): string[] => {
    const prefixes = list(name).flatMap((value) => {
      if (/^\+?[1-9]\d{0,14}$/.test(value)) return value.startsWith('+') ? value : `+${value}`;
      blame(name, `${name} must be beginnings of phone numbers such as +86 or +1415, not "${value}"`);
      return [];
    });
    onRead(name, 'plain', prefixes);
    return prefixes;
  };

/** Reads origins, without a path. */
const createOriginReader =
  (text: (name: string) => string | undefined, blame: Blame, onRead: OnRead) =>
  <Fallback extends string | undefined>(name: string, fallback: Fallback): string | Fallback => {
    const value = text(name);
    const origin = value === undefined ? fallback : parseOrigin(value);
    onRead(name, 'plain', origin);
    if (value === undefined) return fallback;
    if (!origin) blame(name, `${name} must be an origin such as https://id.example.com, not "${value}"`);
    return origin ?? STAND_IN;
  };

/**
 * Reads settings by their names. A fault joins `problems`, and the setting counts as not set. `NAME_FILE` names a
 * file with the value, where `NAME` itself is not set.
 */
export const createReader = (env: Env, problems: string[], onRead: OnRead = () => undefined) => {
  const faulty = new Set<string>();
  const blame: Blame = (name, problem) => {
    faulty.add(name);
    problems.push(problem);
  };
  const texts = createTextsReader(env, blame, onRead);
  const { text, list, hosts } = texts;
  return {
    ...texts,

    /** Settings that something is wrong with: what follows from their stand-ins is no fault of its own. */
    faulty: faulty as ReadonlySet<string>,

    integer: createIntegerReader(text, blame, onRead),

    host: createHostReader(text, blame, onRead),

    phonePrefixes: createPhonePrefixReader(list, blame, onRead),

    oneOf: <T extends string>(
      name: string,
      values: readonly [T, ...T[]],
      fallback: NoInfer<T> = values[0],
    ): T => {
      const value = text(name);
      const found = values.find((candidate) => candidate === value);
      if (value !== undefined && !found)
        blame(name, `${name} must be one of ${values.join(', ')}, not "${value}"`);
      onRead(name, 'plain', found ?? fallback);
      return found ?? fallback;
    },

    share: createShareReader(text, blame, onRead),

    /** A URL of one of the protocols; `kind` completes the sentence about any other value. */
    url: (name: string, protocols: readonly string[], kind: string): string | undefined => {
      const value = text(name);
      const isRight = value === undefined || protocols.includes(URL.parse(value)?.protocol ?? '');
      onRead(name, 'url', isRight ? value : undefined);
      if (isRight) return value;
      // The value is not repeated: it may hold a password.
      blame(name, `${name} must be a URL ${kind}`);
      return undefined;
    },

    databaseUrl: createDatabaseUrlReader(text, blame, onRead),

    origin: createOriginReader(text, blame, onRead),

    /** One of the words alone, or else hosts. */
    wordOrHosts: <T extends string>(
      name: string,
      words: readonly [T, ...T[]],
      fallback: NoInfer<T> = words[0],
    ): T | string[] => {
      const values = list(name);
      const named = words.filter((word) => values.includes(word));
      if (named.length > 0 && values.length > 1)
        blame(name, `${name} must be ${words.join(', ')}, or hosts: ${named.join(', ')} stands alone`);
      const meant = named[0] ?? (values.length > 0 ? hosts(name, words) : fallback);
      onRead(name, 'plain', meant);
      return meant;
    },
  };
};
