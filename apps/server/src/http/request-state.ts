import type { Locale } from '@candela/contract';
import type { Context } from 'koa';
import type { Brand } from '../brand/brand.ts';
import { readClientHints } from '../browser/client-hints.ts';
import type { RequestFacts } from '../browser/request-facts.ts';

/** What the first middlewares find out about every request. */
export interface RequestState {
  requestId: string;
  /** For the scripts and styles of this one answer. */
  nonce: string;
  brand: Brand;
  /** What is answered in: `browserLocale`, unless something is known that comes before it. */
  locale: Locale;
  /** The person's choice in this browser, else the browser's languages, else English. */
  readonly browserLocale: Locale;
  /** The person chose a language in this browser: it comes before the account's. */
  readonly choseLocale: boolean;
  /** The client's address, as far as TRUST_PROXY lets it be believed. */
  address: string;
}

export const stateOf = (ctx: Context): RequestState => ctx.state as RequestState;

const FACT_LENGTH = 512;

/** A header's text as it may be stored: bounded, without control characters. */
const storable = (text: string) => text.replaceAll(/\p{Cc}/gu, '').slice(0, FACT_LENGTH);

/** The hints as JSON, null where the browser gives none. */
const clientHintsOf = (ctx: Context): string | null => {
  const hints = readClientHints((name) => ctx.get(name));
  return hints && JSON.stringify(hints);
};

export const factsOf = (ctx: Context): RequestFacts => ({
  userAgent: storable(ctx.get('user-agent')),
  clientHints: clientHintsOf(ctx),
  address: stateOf(ctx).address,
  locale: stateOf(ctx).browserLocale,
});
