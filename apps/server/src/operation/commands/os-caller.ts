import { hostname, userInfo } from 'node:os';

/** Who runs a command, as their operating system knows them. */
export interface OsCaller {
  user: string;
  host: string;
}

/** The user and the host of this process; a container may have no name for its user. */
export const readOsCaller = (): OsCaller => {
  const host = hostname();
  try {
    return { user: userInfo().username, host };
  } catch {
    return { user: `uid ${process.getuid?.() ?? 'unknown'}`, host };
  }
};
