import * as z from 'zod/mini';
import { AppError } from '../../ground/errors.ts';
import type { EventEffect, ProviderContext, ToldByProvider } from '../identity-provider/provider-kind.ts';
import { readEvent, readSignedEvents } from './signed-events.ts';

const effects: Readonly<Record<string, EventEffect>> = {
  'consent-revoked': 'closes',
  // Apple's page names the second one; its notifications have had the first.
  'account-delete': 'closes',
  'account-deleted': 'closes',
  'email-disabled': 'stops_mail',
};

const Body = z.object({ payload: z.string() });
const Event = z.object({ type: z.string(), sub: z.string() });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_request', { cause });
  }
};

/**
 * A server-to-server notification, which is JSON within a JWT within JSON:
 * https://developer.apple.com/documentation/signinwithapple/processing-changes-for-sign-in-with-apple-accounts
 */
export const hearApple =
  (issuer: string) =>
  async (context: ProviderContext, body: string): Promise<ToldByProvider> => {
    const { payload } = readEvent(Body, parse(body));
    const keys = `${issuer}/auth/keys`;
    const { jti, aud, iat, events } = await readSignedEvents(context, payload, { keys, issuer });
    const { type, sub } = readEvent(Event, typeof events === 'string' ? parse(events) : events);
    return {
      jti,
      audience: aud,
      at: new Date(iat * 1000),
      status: 200,
      events: [{ name: type, subject: sub, effect: effects[type] }],
    };
  };
