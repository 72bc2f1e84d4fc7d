import type { ReturnTo } from '@candela/contract';
import type { Context } from 'koa';
import { parseIdentifier } from '../../ground/identifier/identifier.ts';
import { renewBrowserId } from '../../http/browser-cookie.ts';
import { keepingTicket } from '../../person/verification/ticket.service.ts';
import type { Answers } from './answers.ts';
import type { OpenInteraction } from './open-interaction.ts';
import type { TypedSignIn } from './pending-sign-in.service.ts';

export interface SignedInAnswerOptions {
  answers: Pick<Answers, 'signedIn'>;
}

/** Answers an interaction by a sign-in, whose account the browser remembers from then on. */
export const createSignedInAnswer =
  ({ answers }: SignedInAnswerOptions) =>
  (
    ctx: Context,
    opened: OpenInteraction,
    { typed, ticket, ...signIn }: TypedSignIn & { ticket?: string | undefined },
  ): Promise<ReturnTo> =>
    keepingTicket(ticket, async () => {
      renewBrowserId(ctx);
      return answers.signedIn(ctx, opened, signIn, typed === '' ? undefined : parseIdentifier(typed));
    });
