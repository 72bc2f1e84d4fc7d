import { clientErrors } from './client-errors.ts';
import { trial } from './trial.ts';
import { trouble } from './trouble.ts';
import { snippets, usage } from './usage.ts';

export const developers = {
  developers: {
    title: 'Developers',
    text: 'Apps that you register with {{brand}}.',
    errorsToday_one: '{{count}} error today',
    errorsToday_other: '{{count}} errors today',
  },
  newClient: {
    title: 'Register an app',
  },
  client: {
    title: 'App',
    failedTitle: 'The app could not be loaded',
    contents: 'On this page',
    sections: {
      facts: 'Facts',
      permissions: 'Permissions',
      secrets: 'Secrets',
      addresses: 'Return addresses',
      links: 'Name, links and logo',
      tryIt: 'Try it',
      snippets: 'Code for your stack',
      errors: 'Errors',
      usage: 'Last 30 days',
      members: 'Developers',
      history: 'History',
      ending: 'Disable or delete',
    },
  },
  errors: clientErrors,
  trial,
  trouble,
  usage,
  snippets,
};
