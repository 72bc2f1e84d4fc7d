import {
  type RegistrationPolicy,
  type SelfRegisteredPreset,
  selfRegisteredPresets,
} from '../../clients/registration-token/registration-policy.ts';
import type { RegistrationToken } from '../../clients/registration-token/registration-token.service.ts';
import { databaseNow } from '../../ground/db/clock.ts';
import { parseHost } from '../../ground/outbound/outbound-request.ts';
import { ConfigError } from '../../ground/start-error.ts';
import { command, MisuseError } from './command.ts';
import { endOfDuration } from './duration.ts';

const MOST_USES = 100_000;

const readPresets = (given: readonly string[]): SelfRegisteredPreset[] => {
  if (given.length === 0) return ['web', 'spa', 'native'];
  return given.map((name) => {
    const preset = selfRegisteredPresets.find((known) => known === name);
    if (!preset)
      throw new MisuseError(`--preset must be one of ${selfRegisteredPresets.join(', ')}, not "${name}"`);
    return preset;
  });
};

/** The presets whose people are led to a host. */
const hosted: readonly string[] = ['web', 'spa'];

const readHosts = (
  given: readonly string[],
  presets: readonly string[],
): RegistrationPolicy['redirectHosts'] => {
  if (given.length === 1 && given[0] === 'any') return 'any';
  if (given.length === 0 && presets.some((preset) => hosted.includes(preset)))
    throw new MisuseError(
      `--redirect-host is missing: name the hosts of the apps, such as app.example.com, or "any"; apps of preset native alone need none`,
    );
  return given.map((text) => {
    const host = parseHost(text);
    if (!host || host === 'any')
      throw new MisuseError(
        `--redirect-host must be a host such as app.example.com, without wildcards, or "any" alone; not "${text}"`,
      );
    return host;
  });
};

const readUses = (text: string): number => {
  const uses = Number(text);
  if (/^[1-9]\d*$/.test(text) && uses <= MOST_USES) return uses;
  throw new MisuseError(`--uses must be a whole number from 1 to ${MOST_USES}, not "${text}"`);
};

const describe = ({ id, name, state, uses, maxUses, expiresAt, policy }: RegistrationToken): string =>
  [
    id,
    name,
    state,
    `${uses} of ${maxUses} used`,
    `ends ${expiresAt}`,
    policy.presets.join(', '),
    policy.redirectHosts === 'any' ? 'any host' : policy.redirectHosts.join(', ') || 'no host',
    policy.brand ?? 'every brand',
  ].join('\t');

export const registrationTokenCommands = [
  command({
    name: 'registration-token create',
    summary:
      'let whoever holds the token register clients (RFC 7591); it is printed once, and kept as a hash',
    options: {
      name: { value: 'NAME', required: true, does: 'what you call it; the history of its clients shows it' },
      preset: {
        value: 'PRESET',
        repeated: true,
        does: `kinds of apps that it may register: ${selfRegisteredPresets.join(', ')}; web, spa and native, where it is left out`,
      },
      'redirect-host': {
        value: 'HOST',
        repeated: true,
        does: 'hosts that the apps may lead people to; "any" for all',
      },
      uses: { value: 'N', does: 'how many clients it may register; 1, where it is left out' },
      'expires-in': { value: 'DURATION', does: 'how long it is good; 30d, where it is left out' },
      'client-lifetime': {
        value: 'DURATION',
        does: 'after which its clients are deleted; where it is left out, they stay',
      },
      brand: { value: 'BRAND', does: 'the only brand that it is good at; every brand, where it is left out' },
    },
    example:
      'registration-token create --name "Previews" --preset web --redirect-host app.example.com --uses 20',
    run: async ({ config, options, prepare, registrations }) => {
      const now = databaseNow();
      const presets = readPresets(options.preset);
      const { brand, 'client-lifetime': lifetime } = options;
      const brands = config.brands.map(({ id }) => id);
      if (brand !== undefined && !brands.includes(brand))
        throw new MisuseError(`--brand must be one of ${brands.join(', ')}, not "${brand}"`);
      const policy: RegistrationPolicy = {
        presets,
        redirectHosts: readHosts(options['redirect-host'], presets),
        ...(lifetime !== undefined && {
          clientSeconds: Math.round(
            (endOfDuration('--client-lifetime', lifetime, now).getTime() - now.getTime()) / 1000,
          ),
        }),
        ...(brand !== undefined && { brand }),
      };
      await prepare();
      const { registrationTokens } = await registrations();
      const made = await registrationTokens.create({
        name: options.name,
        policy,
        maxUses: readUses(options.uses ?? '1'),
        expiresAt: endOfDuration('--expires-in', options['expires-in'] ?? '30d', now),
      });
      return { value: made, lines: [`id: ${made.id}`, `token: ${made.token}`] };
    },
  }),
  command({
    name: 'registration-token list',
    summary: 'the tokens, the newest first, and what became of each',
    example: 'registration-token list --json',
    run: async ({ registrations }) => {
      const tokens = await (await registrations()).registrationTokens.list();
      return { value: tokens, lines: tokens.map(describe) };
    },
  }),
  command({
    name: 'registration-token revoke',
    summary: 'end a token; the clients that it registered stay',
    args: ['ID'],
    example: 'registration-token revoke 5f0c9a1be2d4',
    run: async ({ args: [id], prepare, registrations }) => {
      await prepare();
      const { registrationTokens } = await registrations();
      if (!(await registrationTokens.revoke(id)))
        throw new ConfigError([
          `no registration token "${id}" is there to revoke; registration-token list shows them`,
        ]);
      return { value: { id }, lines: [`revoked: ${id}`] };
    },
  }),
];
