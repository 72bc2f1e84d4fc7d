import type { CallerCheck, DeskAccount } from '@candela/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { call } from '../../../shell/api/client.ts';
import { announce } from '../../../shell/components/announcer.tsx';
import { Button } from '../../../shell/components/button.tsx';
import { focusSoon } from '../../../shell/forms/focus-soon.ts';
import { type Problem, useProblemText } from '../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../shell/forms/use-submit.ts';
import { formatHour } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import { unbroken } from '../../components/contact-text.ts';
import { Note } from '../../components/note.tsx';
import { Section } from '../../components/section.tsx';
import { act, deskAccountQuery } from '../../queries.ts';
import { CallerAnswer } from './caller-answer.tsx';
import styles from './caller-card.module.css';

type Start = { way: 'code'; contact: 'phone' | 'email' } | { way: 'digits' };

interface ChoicesProps {
  account: DeskAccount;
  busy: boolean;
  onStart: (start: Start) => void;
}

/** The ways in which the caller can show who they are. One that cannot work says why. */
const Choices = ({ account, busy, onStart }: ChoicesProps) => {
  const { t } = useTranslation('desk');
  const canRead = account.sessions.length > 0;
  const off = account.caller.digitsSpent ? t('errors.digits_exhausted') : t('desk.account.caller.digitsOff');
  return (
    <ul className={styles.choices}>
      {account.contacts.map(({ kind, masked, provesCaller }) => (
        <li key={kind}>
          {provesCaller ? (
            <Button busy={busy} onClick={() => onStart({ way: 'code', contact: kind })}>
              {t('desk.account.caller.code', { contact: unbroken(masked) })}
            </Button>
          ) : (
            <p className={styles.off}>{t('desk.account.caller.young', { contact: unbroken(masked) })}</p>
          )}
        </li>
      ))}
      <li>
        {canRead && !account.caller.digitsSpent ? (
          <Button busy={busy} onClick={() => onStart({ way: 'digits' })}>
            {t('desk.account.caller.digits')}
          </Button>
        ) : (
          <p className={styles.off}>{off}</p>
        )}
      </li>
    </ul>
  );
};

const Outcome = ({ caller }: { caller: CallerCheck }) => {
  const { t } = useTranslation('desk');
  const locale = useLocale();
  if (caller.state === 'right') {
    return (
      <Note tone="ok" title={t('desk.account.caller.right')}>
        {caller.until && (
          <Phrase text={(when) => t('desk.account.caller.rightText', { when })}>
            <time dateTime={caller.until}>{formatHour(new Date(caller.until), locale)}</time>
          </Phrase>
        )}
      </Note>
    );
  }
  if (caller.state === 'wrong')
    return (
      <Note tone="bad" title={t('desk.account.caller.wrong')}>
        {t('desk.account.caller.wrongText')}
      </Note>
    );
  return caller.state === 'over' ? <Note tone="warns" title={t('desk.account.caller.over')} /> : null;
};

/** Who is calling: starts a check, takes the answer, and says whether it was right. */
export const CallerCard = ({ account }: { account: DeskAccount }) => {
  const { t } = useTranslation('desk');
  const client = useQueryClient();
  const problemText = useProblemText();
  const [problem, setProblem] = useState<Problem>();
  const { id, caller } = account;
  const { queryKey } = deskAccountQuery(id);
  const keep = (checked: CallerCheck) =>
    client.setQueryData(queryKey, (shown) => shown && { ...shown, caller: checked });

  const starting = useSubmit(async (body: Start) => {
    setProblem(undefined);
    keep(await act(() => call('POST /api/desk/accounts/:id/caller', { params: { id }, body })));
  }, setProblem);

  const onAnswered = async (checked: CallerCheck) => {
    keep(checked);
    if (checked.state !== 'right') return;
    announce(t('desk.account.caller.right'));
    // What took a checked caller can be done now.
    await client.refetchQueries({ queryKey, exact: true });
    focusSoon(() => document.querySelector<HTMLElement>('[data-section=acts] h2'));
  };

  return (
    <Section name="caller" title={t('desk.account.sections.caller')}>
      <div className={styles.body}>
        <Outcome caller={caller} />
        {caller.state === 'asked' && <CallerAnswer account={id} caller={caller} onAnswered={onAnswered} />}
        {caller.state === 'none' && <p className={styles.text}>{t('desk.account.caller.text')}</p>}
        {caller.state !== 'right' && caller.state !== 'asked' && (
          <Choices account={account} busy={starting.busy} onStart={(start) => void starting.run(start)} />
        )}
        {caller.state === 'asked' && (
          <details className={styles.again}>
            <summary>{t('desk.account.caller.again')}</summary>
            <Choices account={account} busy={starting.busy} onStart={(start) => void starting.run(start)} />
          </details>
        )}
        {problem && (
          <p className={styles.problem} role="alert">
            {problemText(problem)}
          </p>
        )}
      </div>
    </Section>
  );
};
