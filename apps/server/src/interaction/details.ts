import type { InteractionDetails, Prompt } from '@candela/contract';
import type { Interaction } from '../oidc/engine-types.ts';

type Params = Record<string, unknown>;

export const words = (value: unknown): string[] =>
  typeof value === 'string' ? value.split(' ').filter(Boolean) : [];

/** A request for a new authentication: nobody goes on as who is signed in (OpenID Connect Core 3.1.2.1). */
export const asksNewAuthentication = (params: Params): boolean =>
  words(params.prompt).includes('login') || params.max_age !== undefined || params.acr_values !== undefined;

const prompts: readonly Prompt[] = ['login', 'consent', 'select_account', 'create'];

/** The page this interaction is at: signing in, whatever was asked, once another account is wanted. */
export const promptOf = (interaction: Interaction, switched: boolean): Prompt =>
  switched ? 'login' : (prompts.find((name) => name === interaction.prompt.name) ?? 'login');

export const pathOf = (prompt: Prompt): string =>
  ({ login: '/login', select_account: '/login', create: '/register', consent: '/consent' })[prompt];

export interface ScopesAsked {
  params: Params;
  /** What the person approved for this app before. */
  approved: ReadonlySet<string>;
  /** What the app lets people leave out. */
  optional: ReadonlySet<string>;
  /** The app's policy issues refresh tokens: it stays connected, whatever scopes it asks for. */
  staysConnected: boolean;
}

export const scopesAsked = ({
  params,
  approved,
  optional,
  staysConnected,
}: ScopesAsked): InteractionDetails['scopes'] => {
  const names = new Set(words(params.scope));
  if (staysConnected) names.add('offline_access');
  return [...names].map((name) => ({ name, granted: approved.has(name), optional: optional.has(name) }));
};
