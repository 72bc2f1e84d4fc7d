import type { Locale } from '@candela/contract';
import { readTimeZone, TIME_ZONE_HEADER } from '@candela/contract/rules/time-zone';
import type { Context } from 'koa';
import type { Brand } from '../branding/brand/brand.ts';
import { readClientHints } from '../ground/browser/client-hints.ts';
import type { RequestFacts } from '../ground/browser/request-facts.ts';
import type { AppError } from '../ground/errors.ts';

/** The facts that the first middleware finds out about every request. */
export interface RequestState {
  requestId: string;
  /** The CSP nonce of the scripts and styles of this answer. */
  nonce: string;
  brand: Brand;
  /** The language of the answer: `browserLocale`, unless a more specific choice is known. */
  locale: Locale;
  /** The person's choice in this browser, else the language that the browser prefers, else English. */
  readonly browserLocale: Locale;
  /** Whether the person chose a language in this browser, which then counts before the account's language. */
  readonly choseLocale: boolean;
  /** The client's address, read behind as many proxies as TRUST_PROXY says. */
  address: string;
  /** The error of ours that is answered, for those who measure requests. */
  refusal?: AppError;
}

export const stateOf = (ctx: Context): RequestState => ctx.state as RequestState;

const FACT_LENGTH = 512;

/** The text of a header, made storable: bounded, without control characters. */
const storable = (text: string) => text.replaceAll(/\p{Cc}/gu, '').slice(0, FACT_LENGTH);

/** The client hints as JSON; null where the browser sends none. */
const clientHintsOf = (ctx: Context): string | null => {
  const hints = readClientHints((name) => ctx.get(name));
  return hints && JSON.stringify(hints);
};

export const factsOf = (ctx: Context): RequestFacts => ({
  userAgent: storable(ctx.get('user-agent')),
  clientHints: clientHintsOf(ctx),
  address: stateOf(ctx).address,
  locale: stateOf(ctx).browserLocale,
  timeZone: readTimeZone(ctx.get(TIME_ZONE_HEADER)),
});
