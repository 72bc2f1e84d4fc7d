#!/usr/bin/env node
import { resolve } from 'node:path';
import { parseCommandLine } from './operation/commands/command-line.ts';
import { findCommands } from './operation/commands/find-commands.ts';
import { readOsCaller } from './operation/commands/os-caller.ts';
import { type CommandCall, type ExitStatus, type LendPlace, runCall } from './operation/commands/run-call.ts';
import { readEmbeddedPlace } from './operation/config/embedded-place.ts';

/** What opens a database is loaded where one is opened: a server that has it open runs the call by itself. */
const lend: LendPlace = async (...asked) => {
  const { lendOwnDatabase } = await import('./operation/commands/own-database.ts');
  return lendOwnDatabase(...asked);
};

const call: CommandCall = {
  argv: process.argv.slice(2),
  pathOf: (file) => resolve(file),
  // Ending the process ends the command.
  signal: new AbortController().signal,
  writeOut: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
  by: readOsCaller(),
};

const run = async (): Promise<ExitStatus> => {
  const dataDir = readEmbeddedPlace();
  const commands = await findCommands(call.argv);
  const parsed = parseCommandLine(call.argv, commands);
  // Help and misuse need no server, and the environment is that of the caller.
  const mayCall = dataDir && parsed.kind === 'run' && parsed.command.needs !== 'environment';
  if (mayCall) {
    const { callServer } = await import('./operation/command-socket/call-server.ts');
    const status = await callServer(dataDir, call, process.cwd());
    if (status !== undefined) return status;
  }
  return runCall(call, commands, lend);
};

run().then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    call.writeError(`${(error as Error).message}\n`);
    process.exitCode = 1;
  },
);
