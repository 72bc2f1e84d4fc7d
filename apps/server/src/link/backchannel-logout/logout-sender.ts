/** The end of a session, for one client that was used in it. */
export interface Logout {
  brand: string;
  clientId: string;
  accountId: string;
  sid: string;
}

/**
 * - `told`: the client accepted the logout token.
 * - `unwanted`: the client is not registered for back-channel logout any more.
 * - `untried`: nothing was sent, since the database did not answer how to.
 * - `refused`: the client refuses the logout for good, by this HTTP status.
 */
export type LogoutOutcome = 'told' | 'unwanted' | 'untried' | { refused: number };

export interface LogoutSender {
  /**
   * Sends a logout token made for this try (OpenID Connect Back-Channel Logout section 2.5).
   * @throws Error where the client did not take the token and may take it later; also when `signal` aborts.
   */
  send(logout: Logout, signal: AbortSignal): Promise<LogoutOutcome>;
}
