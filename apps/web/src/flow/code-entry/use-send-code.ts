import type { CodePurpose } from '@candela/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, call, serverNow } from '../../shell/api/client.ts';
import { announce } from '../../shell/components/announcer.tsx';
import { wholeIdentifier } from '../identifier/dial-code.ts';
import { type CodeTimer, readCodeTimer, writeCodeTimer } from './code-timer.ts';

/** The seconds until a time of the server. Its `Date` header drops fractions, so the result is up to one too large. */
const secondsUntil = (at: number): number => {
  const left = (at - Date.now()) / 1000;
  return left > 0 ? Math.max(1, Math.floor(left)) : 0;
};

/** Sends codes to an identifier and counts down to the next one. */
export const useSendCode = (purpose: CodePurpose, identifier: string | undefined) => {
  const { t } = useTranslation();
  const [timer, setTimer] = useState<CodeTimer>();
  const [seconds, setSeconds] = useState(0);

  useEffect(() => {
    setTimer(identifier ? readCodeTimer(purpose, identifier, Date.now()) : undefined);
  }, [purpose, identifier]);

  const resendAt = timer?.resendAt ?? 0;
  useEffect(() => {
    setSeconds(secondsUntil(resendAt));
    if (secondsUntil(resendAt) === 0) return;
    const tick = setInterval(() => {
      const left = secondsUntil(resendAt);
      setSeconds(left);
      if (left > 0) return;
      clearInterval(tick);
      announce(t('code.mayResend'));
    }, 1000);
    return () => clearInterval(tick);
  }, [resendAt, t]);

  const keep = (to: string, next: CodeTimer) => {
    writeCodeTimer(purpose, to, next);
    setTimer(next);
  };

  /** @throws {ApiError} rate_limited also starts the countdown */
  const send = async (to: string): Promise<void> => {
    try {
      const { expiresAt, resendAt: next } = await call('POST /api/codes', {
        body: { identifier: to, purpose },
      });
      const ahead = serverNow() - Date.now();
      keep(to, {
        resendAt: Date.parse(next) - ahead,
        expiresAt: Date.parse(expiresAt) - ahead,
        sent: (timer?.sent ?? 0) + 1,
      });
      const sent = purpose === 'recover' ? 'recovery.codeText' : 'code.sent';
      announce(t(sent, { identifier: wholeIdentifier(to) }));
    } catch (error) {
      const wait = error instanceof ApiError ? error.retryAfterSeconds : undefined;
      if (wait && timer) keep(to, { ...timer, resendAt: Date.now() + wait * 1000 });
      throw error;
    }
  };

  /** Marks the last code as spent when the refusal means so. */
  const noteRefusal = ({ code }: ApiError): void => {
    const isOver = code === 'code_exhausted' || code === 'code_expired';
    if (isOver && identifier && timer) keep(identifier, { ...timer, spent: true });
  };

  return { timer, seconds, send, noteRefusal };
};
