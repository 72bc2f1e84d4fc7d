import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter } from 'node:path';

/** What a person's shell also has: where their files, their proxies and their registry are. */
const KEPT =
  /^(?:HOME|LANG|TMPDIR|XDG_\w+|\w+_PROXY|NODE_EXTRA_CA_CERTS|P?NPM_CONFIG_(?:REGISTRY|CAFILE|CACHE|STORE_DIR|USERCONFIG))$/i;

/** The environment of a person who has Node, and nothing of this repository. */
const environment = (settings: Record<string, string>) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name))),
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
  // Packages that an earlier run brought here are not asked for again.
  npm_config_prefer_offline: 'true',
  ...settings,
});

/** One terminal: what is typed runs in a folder, and what is printed can be awaited. */
export interface Terminal {
  output(): string;
  /** Resolves with the first match of what is printed. @throws Error if the command ends or time runs out before it */
  read(form: RegExp, seconds?: number): Promise<RegExpExecArray>;
  /** Resolves when the command ends. @throws Error if it does not end with 0 */
  ended(): Promise<void>;
  /** Ends the command and its children. */
  close(): Promise<void>;
}

const closed = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Types `commands` into a terminal of its own, in `folder`. */
export const openTerminal = (
  commands: string,
  folder: string,
  settings: Record<string, string> = {},
): Terminal => {
  // A group of processes, which end together.
  const child = spawn('bash', ['-e', '-c', commands], {
    cwd: folder,
    env: environment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exit = once(child, 'close');
  let printed = '';
  const readers = new Set<() => void>();
  const hear = (text: Buffer) => {
    printed += text;
    for (const reader of readers) reader();
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const fault = (what: string) => new Error(`${what}: ${commands}\n${printed.slice(-3000)}`);

  return {
    output: () => printed,
    read: (form, seconds = 120) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => end(() => reject(fault(`${form} was not printed`))), seconds * 1000);
        const end = (settle: () => void) => {
          clearTimeout(timer);
          readers.delete(look);
          settle();
        };
        const look = () => {
          const found = form.exec(printed);
          if (found) end(() => resolve(found));
        };
        readers.add(look);
        exit.then(() => end(() => reject(fault(`ended without ${form}`))));
        look();
      }),
    ended: async () => {
      await exit;
      if (child.exitCode !== 0) throw fault(`ended with ${child.exitCode}`);
    },
    close: async () => {
      if (!closed(child) && child.pid) process.kill(-child.pid);
      await exit;
    },
  };
};
