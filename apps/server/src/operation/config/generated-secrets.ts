import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { ConfigError } from '../../ground/start-error.ts';

const secret = z.string().check(z.minLength(32));
const Secrets = z.object({ secretKey: secret, cookieKey: secret });

type SecretValues = z.infer<typeof Secrets>;

export interface GeneratedSecrets extends SecretValues {
  path: string;
  /** Whether this call made them. */
  isNew: boolean;
}

const writeSynced = (path: string, content: string) => {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Creates the file of secrets; answers false where another process was first. */
const createOnce = (path: string): boolean => {
  const fresh: SecretValues = {
    secretKey: randomBytes(32).toString('base64url'),
    cookieKey: randomBytes(32).toString('base64url'),
  };
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`;
  try {
    writeSynced(draft, `${JSON.stringify(fresh, null, 2)}\n`);
    // link(2) fails where the file exists, and no reader ever finds half a file.
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
};

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const parse = (content: string): SecretValues | undefined => {
  try {
    return z.parse(Secrets, JSON.parse(content));
  } catch {
    return undefined;
  }
};

const pathIn = (dataDir: string) => join(dataDir, 'secrets.json');

const unusable = (error: unknown) =>
  new ConfigError([`DATA_DIR cannot be used: ${(error as Error).message}`]);

const parseKept = (path: string, content: string, isNew: boolean): GeneratedSecrets => {
  const secrets = parse(content);
  // New secrets would never open what the database holds sealed.
  if (!secrets)
    throw new ConfigError([
      `${path} is empty or damaged: restore it, or delete it if the database is new too`,
    ]);
  return { ...secrets, path, isNew };
};

/**
 * The secrets that an earlier start made in `dataDir`; undefined where there are none.
 * @throws ConfigError when the file cannot be read, or is damaged.
 */
export const readGeneratedSecrets = (dataDir: string): GeneratedSecrets | undefined => {
  const path = pathIn(dataDir);
  let content: string | undefined;
  try {
    content = readIfThere(path);
  } catch (error) {
    throw unusable(error);
  }
  return content === undefined ? undefined : parseKept(path, content, false);
};

/**
 * The secrets in `dataDir`, made at the first start in a file that only its owner may read.
 * @throws ConfigError when the file cannot be written or read, or is damaged.
 */
export const loadGeneratedSecrets = (dataDir: string): GeneratedSecrets => {
  const kept = readGeneratedSecrets(dataDir);
  if (kept) return kept;
  const path = pathIn(dataDir);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const isNew = createOnce(path);
    return parseKept(path, readFileSync(path, 'utf8'), isNew);
  } catch (error) {
    throw error instanceof ConfigError ? error : unusable(error);
  }
};

/** Deletes secrets that this start made, where the database turns out to have secrets already. */
export const forgetNewSecrets = ({ path, isNew }: GeneratedSecrets): void => {
  if (isNew) rmSync(path, { force: true });
};
