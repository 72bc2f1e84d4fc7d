import type { PlatformPreset } from '@candela/contract/rules/client-presets';

/** How the credentials of a client travel (RFC 6749 section 2.3.1). */
export type CredentialPlace = 'basic' | 'body';

/** What a platform sends, takes and does, as its documentation has it: see docs/integrating/platforms.md. */
export interface PlatformConduct {
  /** Where it puts the credentials. Of several its console offers the choice. */
  credentials: readonly [CredentialPlace, ...CredentialPlace[]];
  /** The `scope` that it sends; `registered`: what its console was given. */
  scope: 'registered' | '' | 'ifttt';
  /** Whether it uses each of its redirect URIs, or the one that was registered. */
  addresses: 'each' | 'one';
  /** Parameters of the authorization request beside those of RFC 6749. */
  parameters?: Readonly<Record<string, string>>;
  /** Whether its redirect URI has `skillId` and `token` of the person, and its token requests stand in the address. */
  speaksInAddresses?: true;
  /** Whether its console can switch PKCE on (RFC 7636). */
  challenges?: true;
  /** Whether it stays with its first refresh token, whatever a refresh answers. */
  keepsFirstToken?: true;
  /** The token by which a link is ended. */
  revokes?: 'access_token' | 'refresh_token';
  /** The most characters that it takes of an answer, and of a token. */
  most?: { answer: number; token: number };
}

/** The platforms of the presets. A row is all that a check knows of one. */
export const conducts: Readonly<Record<PlatformPreset, PlatformConduct>> = {
  alexa: { credentials: ['basic', 'body'], scope: 'registered', addresses: 'each', challenges: true },
  'google-home': {
    credentials: ['body', 'basic'],
    scope: 'registered',
    addresses: 'each',
    parameters: { user_locale: 'en-US' },
    keepsFirstToken: true,
    revokes: 'refresh_token',
  },
  'home-assistant': { credentials: ['body'], scope: '', addresses: 'one', challenges: true },
  alice: {
    credentials: ['body'],
    scope: '',
    addresses: 'each',
    revokes: 'access_token',
    most: { answer: 5_000, token: 2_048 },
  },
  salute: { credentials: ['body'], scope: 'registered', addresses: 'one' },
  'tmall-genie': { credentials: ['body'], scope: '', addresses: 'each', speaksInAddresses: true },
  xiaodu: { credentials: ['body'], scope: '', addresses: 'one' },
  smartthings: { credentials: ['body'], scope: 'registered', addresses: 'each' },
  ifttt: { credentials: ['body'], scope: 'ifttt', addresses: 'each' },
  'aws-iot': { credentials: ['basic', 'body'], scope: 'registered', addresses: 'one' },
};
