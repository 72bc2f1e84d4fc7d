import type { PresetName } from '@candela/contract/rules/client-presets';

/** The kinds of apps that may register themselves. The others are platforms that an operator knows by name. */
export const selfRegisteredPresets = [
  'web',
  'spa',
  'native',
  'device',
  'machine',
] as const satisfies readonly PresetName[];
export type SelfRegisteredPreset = (typeof selfRegisteredPresets)[number];

/** What holds for the clients of an initial access token, for as long as they live. */
export interface RegistrationPolicy {
  presets: readonly SelfRegisteredPreset[];
  /** The hosts, as `parseHost` writes them, that their people are led to; `any`: all hosts. */
  redirectHosts: readonly string[] | 'any';
  /** After how many seconds a client ends; absent: it does not. */
  clientSeconds?: number;
  /** The only brand that the token is good at; absent: every brand. */
  brand?: string;
  /** Whether nobody vouches for whoever registers, which then has no token. */
  strangers?: true;
}

/** What holds for clients that register themselves without an initial access token: they are public. */
export const openPolicy: RegistrationPolicy = {
  presets: ['native', 'spa'],
  redirectHosts: 'any',
  strangers: true,
};
