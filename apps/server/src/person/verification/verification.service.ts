import { UndecidedError } from '../../ground/db/transact.ts';
import { emitRefusal } from '../../ground/event/emit-refusal.ts';
import { type Identifier, parseIdentifier } from '../../ground/identifier/identifier.ts';
import { createOpaqueToken, hashToken } from '../../ground/opaque-token.ts';
import { channelOf } from '../delivery/message.ts';
import { type CodeCount, createCodeCounters } from './code-counters.ts';
import { makeCode, type SendCodeInput } from './code-sending.ts';
import { type CodeUse, spendRightCode, type VerifyCodeInput } from './code-spending.ts';
import { issueTicket, keepingTicket, type Ticket } from './ticket.service.ts';
import type { VerificationOptions } from './verification-options.ts';

/** Codes that prove who reads the messages of an identifier. */
export interface VerificationService {
  /**
   * Sends a code; the answer is the same whether or not there is an account.
   * @throws AppError identifier_*, phone_invalid, email_invalid, rate_limited, busy or unavailable (no code
   *   was made then), and account_not_found where unknown accounts are revealed
   */
  sendCode(input: SendCodeInput): Promise<{ expiresAt: Date; resendAt: Date }>;
  /**
   * Exchanges a right code for a ticket: bound to purpose, identifier and browser, good for ten minutes.
   * @throws AppError code_incorrect, code_expired, code_exhausted, rate_limited, and those of the identifier.
   *   After too many wrong ones in a row a code has one try, and a code to sign in is refused with step_up_required
   *   as long as the account's password signs in
   */
  verifyCode(input: VerifyCodeInput): Promise<Ticket>;
  /**
   * Spends a right code in one transaction with what it opens; a wrong try is counted whatever comes of it.
   * @throws AppError as `verifyCode`, and what `lock` and `open` throw
   */
  spendCode<L, T>(input: VerifyCodeInput, use: CodeUse<L, T>): Promise<T>;
  /** How many codes this process sent, and how many of them were proven. */
  countCodes(): CodeCount[];
}

export const createVerificationService = (options: VerificationOptions): VerificationService => {
  const { events, now } = options;
  const counters = createCodeCounters();

  const send = async (input: SendCodeInput, identifier: Identifier) => {
    const { purpose, brand } = input;
    const { delivery, isSent, accountId, expiresAt, resendAt } = await makeCode(options, input, identifier);
    if (isSent) {
      counters.count('sent', identifier, purpose);
      events.emit('code.sent', { purpose, channel: channelOf(identifier.kind), accountId, brand: brand.id });
    }
    await delivery?.start();
    return { expiresAt, resendAt };
  };

  const sendCode: VerificationService['sendCode'] = async (input) => {
    const { purpose, brand } = input;
    const said = { purpose, brand: brand.id };
    const refusing = emitRefusal(events, 'code.send_refused');
    const identifier = await refusing(said, async () => parseIdentifier(input.identifier));
    return refusing({ ...said, channel: channelOf(identifier.kind) }, () => send(input, identifier));
  };

  const spendCode: VerificationService['spendCode'] = async (input, use) => {
    const opened = await spendRightCode(options, input, use);
    counters.count('verified', parseIdentifier(input.identifier), input.purpose);
    return opened;
  };

  const verifyCode: VerificationService['verifyCode'] = async (input) => {
    const ticket = createOpaqueToken();
    const spending = spendCode(input, {
      lock: async () => undefined,
      open: (trx) => {
        const { value: identifier } = parseIdentifier(input.identifier);
        const browserHash = hashToken(input.browserId);
        return issueTicket(trx, { purpose: input.purpose, identifier, browserHash }, now(), ticket);
      },
    });
    return spending.catch((error: unknown) =>
      // Nobody knows whether the code is spent: if it is, this ticket stands for it.
      keepingTicket(error instanceof UndecidedError ? ticket : undefined, () => Promise.reject(error)),
    );
  };

  return { sendCode, verifyCode, spendCode, countCodes: counters.read };
};
