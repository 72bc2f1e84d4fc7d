import type { Account } from '@candela/contract';
import { GRACE_DAYS } from '@candela/contract/rules/leaving';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { Dialog } from '../../../flow/dialog/dialog.tsx';
import { wholeIdentifier } from '../../../flow/identifier/dial-code.ts';
import { call } from '../../../shell/api/client.ts';
import { noteFarewell } from '../../../shell/api/farewell.ts';
import { Actions } from '../../../shell/components/actions.tsx';
import { Button } from '../../../shell/components/button.tsx';
import { type Problem, useProblemText } from '../../../shell/forms/form-errors.ts';
import { leaveFor } from '../../../shell/forms/use-submit.ts';
import { formatNames } from '../../../shell/language/format.ts';
import { useLocale } from '../../../shell/language/use-locale.ts';
import { authorizationsQuery, clientsQuery } from '../../account/queries.ts';
import { useSensitiveSubmit } from '../../account/step-up.ts';
import { type PagedQuery, useRest } from '../../account/use-rest.ts';
import styles from './leave-dialog.module.css';

/** The names of a paged list; `whole` once all of its pages are there. */
const useNames = <Item,>(query: PagedQuery<Item>, nameOf: (item: Item) => string) => {
  const rest = useRest(query, true);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return { names: [...new Set(items.map(nameOf))], whole: query.isSuccess && !rest };
};

/** What becomes of things, and which they are. Where some are not known, an ellipsis stands for them. */
const Named = ({ names, whole, text }: ReturnType<typeof useNames> & { text: string }) => {
  const locale = useLocale();
  if (whole && names.length === 0) return null;
  const known = names.length;
  return (
    <li>
      {text}
      {known > 0 && (
        <span className={styles.names}>{formatNames(whole ? names : [...names, ''], known, locale)}</span>
      )}
    </li>
  );
};

/** What ends at once, and what is gone after the grace, by name. */
const WhatEnds = ({ account }: { account: Account }) => {
  const { t } = useTranslation('security');
  const approvals = useNames(useInfiniteQuery(authorizationsQuery), ({ client }) => client.name);
  const isDeveloper = account.developer === true;
  const developed = useInfiniteQuery({ ...clientsQuery, enabled: isDeveloper });
  const clients = useNames(developed, ({ client_name }) => client_name);
  const contacts = [account.phone, account.email].filter((contact) => contact !== undefined);
  return (
    <>
      <p>{t('leaving.dialog.now')}</p>
      <ul className={styles.list}>
        <li>{t('leaving.dialog.sessions')}</li>
        <Named {...approvals} text={t('leaving.dialog.apps')} />
      </ul>
      <p>{t('leaving.dialog.later', { days: GRACE_DAYS })}</p>
      <ul className={styles.list}>
        <li>{t('leaving.dialog.everything')}</li>
        <Named names={contacts.map(wholeIdentifier)} whole text={t('leaving.dialog.contacts')} />
        {isDeveloper && <Named {...clients} text={t('leaving.dialog.clients')} />}
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
    const away = () => {
      noteFarewell('signed-out');
      void leaveFor('/login');
    };
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
