import type { Account } from '@candela/contract';
import { GRACE_DAYS } from '@candela/contract/rules/leaving';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { authorizationsQuery } from '../../account/queries.ts';
import { useSensitiveSubmit } from '../../account/step-up.ts';
import { call } from '../../api/client.ts';
import { Actions } from '../../components/actions.tsx';
import { Button } from '../../components/button.tsx';
import { Moment } from '../../components/moment.tsx';
import { Phrase } from '../../components/phrase.tsx';
import { Dialog } from '../../dialog/dialog.tsx';
import { type Problem, useProblemText } from '../../forms/form-errors.ts';
import { leaveFor } from '../../forms/use-submit.ts';
import { useLocale } from '../../i18n/use-locale.ts';
import { wholeIdentifier } from '../../identifier/dial-code.ts';
import styles from './leave-dialog.module.css';

/** Names in a sentence. */
const useList = () => {
  const locale = useLocale();
  const format = new Intl.ListFormat(locale, { style: 'narrow', type: 'unit' });
  return (names: readonly string[]) => format.format([...new Set(names)]);
};

/** What ends at once, and what is gone after the grace, by name. */
const WhatEnds = ({ account }: { account: Account }) => {
  const { t } = useTranslation('security');
  const list = useList();
  const { data: approvals } = useInfiniteQuery(authorizationsQuery);
  const { data: developed } = useQuery({
    queryKey: ['clients', 'leaving'],
    queryFn: ({ signal }) => call('GET /api/clients', { signal }),
    enabled: account.developer === true,
  });
  const [page] = approvals?.pages ?? [];
  const apps = (page?.items ?? []).map(({ client }) => client.name);
  const clients = (developed?.items ?? []).map(({ client_name }) => client_name);
  const contacts = [account.phone, account.email].filter((contact) => contact !== undefined);
  return (
    <>
      <p>{t('leaving.dialog.now')}</p>
      <ul className={styles.list}>
        <li>{t('leaving.dialog.sessions')}</li>
        {apps.length > 0 && (
          <li>{t(page?.next ? 'leaving.dialog.moreApps' : 'leaving.dialog.apps', { apps: list(apps) })}</li>
        )}
      </ul>
      <p>{t('leaving.dialog.later', { days: GRACE_DAYS })}</p>
      <ul className={styles.list}>
        <li>{t('leaving.dialog.everything')}</li>
        <li>{t('leaving.dialog.contacts', { contacts: list(contacts.map(wholeIdentifier)) })}</li>
        {clients.length > 0 && <li>{t('leaving.dialog.clients', { clients: list(clients) })}</li>}
        <li>{t('leaving.dialog.keptText')}</li>
      </ul>
      <p>{t('leaving.dialog.back')}</p>
    </>
  );
};

/** Says what ends, and ends the account. Afterwards nobody is signed in here. */
export const LeaveDialog = ({ account, onClose }: { account: Account; onClose: () => void }) => {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  const [problem, setProblem] = useState<Problem>();
  const [endsAt, setEndsAt] = useState<string>();
  const { busy, run } = useSensitiveSubmit(async () => {
    setProblem(undefined);
    const left = await call('DELETE /api/account');
    setEndsAt(left.endsAt);
  }, setProblem);

  if (endsAt) {
    const away = () => void leaveFor('/login');
    return (
      <Dialog title={t('leaving.dialog.doneTitle')} onClose={away}>
        <p role="status">
          <Phrase text={(when) => t('leaving.dialog.doneText', { when })}>
            <Moment at={endsAt} show="zoned" />
          </Phrase>
        </p>
        <Actions>
          <Button look="primary" onClick={away}>
            {t('leaving.dialog.close')}
          </Button>
        </Actions>
      </Dialog>
    );
  }
  return (
    <Dialog title={t('leaving.dialog.title')} onClose={onClose}>
      <div className={styles.words}>
        <WhatEnds account={account} />
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
      <Actions>
        <Button onClick={onClose}>{t('app.cancel')}</Button>
        <Button look="danger" busy={busy} onClick={() => void run()}>
          {t('leaving.dialog.action')}
        </Button>
      </Actions>
    </Dialog>
  );
};
