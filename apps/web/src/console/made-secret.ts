import { createStore } from '../shell/store.ts';
import { quote } from './commands.ts';

/** A secret that was just made. No answer of the server has it again. */
export interface MadeSecret {
  clientId: string;
  /** The name of a further secret; absent: the first of a new client. */
  name?: string;
  /** The variable of a program that holds it; CLIENT_SECRET by default. */
  variable?: string;
  secret: string;
}

/** The secret that the page shows now. It is in the memory of this page alone, until the person has kept it. */
export const madeSecret = createStore<MadeSecret | undefined>(undefined);

/** The lines of a file with the environment of a program, which a shell can read. */
export const envFile = (
  issuer: string,
  { clientId, variable = 'CLIENT_SECRET', secret }: MadeSecret,
): string => `ISSUER=${issuer}\nCLIENT_ID=${quote(clientId)}\n${variable}=${quote(secret)}\n`;
