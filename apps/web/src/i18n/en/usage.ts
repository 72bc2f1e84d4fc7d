/** The last 30 days of an app, and its code for a stack. */
export const usage = {
  text: 'The last 30 days, in UTC. Counts lag a few seconds behind.',
  tokens: 'Tokens',
  refreshes: 'Refreshes',
  errors: 'Errors',
  empty: 'No token yet',
  emptyText: 'The chart begins with the first token or error.',
  summary: 'Tokens: {{tokens}}. Refreshes: {{refreshes}}. Errors: {{errors}}.',
  table: 'As a table',
  caption: 'Tokens, refreshes and errors of the last 30 days, the newest day first',
  day: 'Day',
  kinds: 'Errors by kind',
  links: {
    caption: 'Connections of the last 30 days',
    made: 'Made',
    refreshed: 'Refreshes',
    quiet: 'Quiet now: no refresh for two weeks',
    ended: {
      withdrawn: 'Ended: removed by the person',
      revoked_by_client: 'Ended: revoked by the app',
      token_theft: 'Ended: an old refresh token was used',
      code_reused: 'Ended: a code was used twice',
      client_disabled: 'Ended: the app was disabled',
      client_deleted: 'Ended: the app was deleted',
      account_disabled: 'Ended: the account was disabled',
      account_deleted: 'Ended: the account was deleted',
      expired: 'Ended: not used for too long, or past its end',
    },
  },
};

export const snippets = {
  text: 'With this app’s own values. Your server reads the secret from the variable CLIENT_SECRET.',
  textWithoutSecret: 'With this app’s own values. It needs no secret.',
  commands: 'Commands',
  missing: 'This program returns to an address that is not registered. Add this return address.',
  stack: 'Stack',
  page: 'Full guide, with common mistakes: {{page}}',
  platform: 'This app is set up in the console of its platform, which asks for these values:',
  direct: 'No library is needed: these requests are all it takes.',
  values: {
    clientId: 'Client ID',
    authorizationUrl: 'Authorization address',
    tokenUrl: 'Token address',
    scopes: 'Scopes',
    authentication: 'Client authentication',
  },
};
