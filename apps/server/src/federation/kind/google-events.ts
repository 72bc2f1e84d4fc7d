import * as z from 'zod/mini';
import type { EventEffect, ProviderContext, ToldByProvider } from '../identity-provider/provider-kind.ts';
import { speaking } from './openid-failure.ts';
import { readProviderAnswer } from './provider-answer.ts';
import { readEvent, readSignedEvents } from './signed-events.ts';

const CONFIGURATION = 'https://accounts.google.com/.well-known/risc-configuration';

const RISC = 'https://schemas.openid.net/secevent/risc/event-type/';
const OAUTH = 'https://schemas.openid.net/secevent/oauth/event-type/';

const effects: Readonly<Record<string, EventEffect>> = {
  [`${RISC}sessions-revoked`]: 'ends_sessions',
  [`${OAUTH}tokens-revoked`]: 'ends_sessions',
  [`${RISC}account-disabled`]: 'closes',
  [`${RISC}account-purged`]: 'closes',
  [`${RISC}account-credential-change-required`]: 'closes',
};

const Configuration = z.object({ issuer: z.string(), jwks_uri: z.string() });
const Events = z.record(
  z.string(),
  z.object({
    subject: z.optional(z.object({ sub: z.optional(z.string()) })),
    reason: z.optional(z.string()),
  }),
);

/** How long a process believes what it read. */
const CONFIGURATION_MS = 3_600_000;
let read: { at: number; configuration: z.infer<typeof Configuration> } | undefined;

const configurationOf = async ({ fetch }: ProviderContext): Promise<z.infer<typeof Configuration>> => {
  if (read && performance.now() - read.at < CONFIGURATION_MS) return read.configuration;
  const configuration = await speaking(async () =>
    readProviderAnswer(await fetch(CONFIGURATION), Configuration),
  );
  read = { at: performance.now(), configuration };
  return configuration;
};

const nameOf = (type: string): string => type.slice(type.lastIndexOf('/') + 1);

/**
 * A security event token (RFC 8417) of Cross-Account Protection: https://developers.google.com/identity/protocols/risc
 */
export const hearGoogle = async (context: ProviderContext, body: string): Promise<ToldByProvider> => {
  const { issuer, jwks_uri: keys } = await configurationOf(context);
  const { jti, aud, iat, events } = await readSignedEvents(context, body.trim(), { keys, issuer });
  return {
    jti,
    audience: aud,
    at: new Date(iat * 1000),
    status: 202,
    events: Object.entries(readEvent(Events, events)).map(([type, { subject, reason }]) => ({
      name: nameOf(type),
      subject: subject?.sub,
      effect: effects[type],
      why: reason,
    })),
  };
};
