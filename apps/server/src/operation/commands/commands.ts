import { accountCommands } from './account.commands.ts';
import { backupCommands } from './backup.commands.ts';
import { clientCommands } from './client.commands.ts';
import { clientSecretCommands } from './client-secret.commands.ts';
import type { Command } from './command.ts';
import { configCommands } from './config.commands.ts';
import { databaseCommands } from './database.commands.ts';
import { developerCommands } from './developer.commands.ts';
import { keysCommands } from './keys.commands.ts';
import { leavingCommands } from './leaving.commands.ts';
import { linkCommands } from './link.commands.ts';
import { providerCommands } from './provider.commands.ts';
import { recordCommands } from './record.commands.ts';
import { registrationTokenCommands } from './registration-token.commands.ts';
import { resourceCommands } from './resource.commands.ts';
import { staffCommands } from './staff.commands.ts';
import { streamCommands } from './stream.commands.ts';

/** All commands, in the order of help. */
export const commands: readonly Command[] = [
  ...configCommands,
  ...providerCommands,
  ...databaseCommands,
  ...backupCommands,
  ...clientCommands,
  ...clientSecretCommands,
  ...developerCommands,
  ...registrationTokenCommands,
  ...resourceCommands,
  ...streamCommands,
  ...accountCommands,
  ...leavingCommands,
  ...linkCommands,
  ...staffCommands,
  ...recordCommands,
  ...keysCommands,
];
