/** A client that is to be told that its person's session has ended. */
export interface Logout {
  brand: string;
  clientId: string;
  accountId: string;
  sid: string;
}

/**
 * - `told`: the client took it.
 * - `unwanted`: it is not registered for it any more.
 * - `untried`: it was not asked, since the database could not say how.
 * - `refused`: it says by this HTTP status that it never will.
 */
export type LogoutOutcome = 'told' | 'unwanted' | 'untried' | { refused: number };

export interface LogoutSender {
  /**
   * Sends a logout token made for this try (OpenID Connect Back-Channel Logout section 2.5).
   * @throws Error where the client could not be told, and may be later; also when `signal` aborts.
   */
  send(logout: Logout, signal: AbortSignal): Promise<LogoutOutcome>;
}
