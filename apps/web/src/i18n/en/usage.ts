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
};

export const snippets = {
  text: 'With this app’s own values. Your server reads the secret from the variable CLIENT_SECRET.',
  environment: 'Environment',
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
