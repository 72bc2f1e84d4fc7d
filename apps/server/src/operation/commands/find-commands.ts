import type { Command } from './command.ts';

/** The files of commands by their first words. */
const files: Readonly<Record<string, () => Promise<readonly Command[]>>> = {
  account: async () => [
    ...(await import('./account.commands.ts')).accountCommands,
    ...(await import('./leaving.commands.ts')).leavingCommands,
  ],
  client: async () => [
    ...(await import('./client.commands.ts')).clientCommands,
    ...(await import('./client-secret.commands.ts')).clientSecretCommands,
  ],
  config: async () => (await import('./config.commands.ts')).configCommands,
  link: async () => (await import('./link.commands.ts')).linkCommands,
  migrate: async () => (await import('./database.commands.ts')).databaseCommands,
  sweep: async () => (await import('./database.commands.ts')).databaseCommands,
  backup: async () => (await import('./backup.commands.ts')).backupCommands,
  restore: async () => (await import('./backup.commands.ts')).backupCommands,
  developer: async () => (await import('./developer.commands.ts')).developerCommands,
  keys: async () => (await import('./keys.commands.ts')).keysCommands,
  record: async () => (await import('./record.commands.ts')).recordCommands,
  provider: async () => (await import('./provider.commands.ts')).providerCommands,
  'registration-token': async () =>
    (await import('./registration-token.commands.ts')).registrationTokenCommands,
  resource: async () => (await import('./resource.commands.ts')).resourceCommands,
  secrets: async () => (await import('./keys.commands.ts')).keysCommands,
  staff: async () => (await import('./staff.commands.ts')).staffCommands,
  stream: async () => (await import('./stream.commands.ts')).streamCommands,
};

/**
 * The commands among which a call finds its own: to load all of them takes longer than most of them run. A call that
 * asks for all, or for none that there is, gets all.
 * @param argv the words of the call, without the programs
 */
export const findCommands = async ([first = '']: readonly string[]): Promise<readonly Command[]> => {
  const find = Object.hasOwn(files, first) ? files[first] : undefined;
  return find ? find() : (await import('./commands.ts')).commands;
};
