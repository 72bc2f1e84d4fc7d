import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

const samples = join(import.meta.dirname, '../../docs/samples');

/** Whether a language is there. */
export const has = (program: string, ...argv: string[]): boolean => spawnSync(program, argv).status === 0;

/**
 * The samples share a library that Go compiles anew on every fresh machine: it is neither optimised nor made for a
 * debugger, and lacks HTTP/2, which no test speaks.
 */
const quickly = ['-tags=nethttpomithttp2', '-gcflags=all=-N -l -dwarf=false', '-ldflags=-s -w'];

const compile = (file: string, directory: string): string => {
  const program = join(directory, basename(file, '.go'));
  if (existsSync(program)) return program;
  const built = spawnSync('go', ['build', ...quickly, '-o', program, file], {
    encoding: 'utf8',
    env: { ...process.env, CGO_ENABLED: '0' },
  });
  if (built.status !== 0) throw new Error(built.stderr);
  return program;
};

/** Starts a program of docs/samples; what has to be compiled is kept in `directory`. */
export const startSample = (name: string, directory: string, env: Record<string, string>): ChildProcess => {
  const file = join(samples, name);
  const options = { env: { ...process.env, ...env }, stdio: 'ignore' } as const;
  if (name.endsWith('.go')) return spawn(compile(file, directory), [], options);
  return spawn(name.endsWith('.py') ? 'python3' : process.execPath, [file], options);
};
