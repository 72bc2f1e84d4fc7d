import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { prepareDialog } from '../../flow/dialog/dialog.tsx';
import type { MissingContactsPart } from '../../flow/pages/consent/approval.tsx';
import type { ApiError } from '../../shell/api/client.ts';
import { bring } from '../../shell/bring.ts';
import { ChunkBoundary } from '../../shell/chunk/chunk-boundary.tsx';
import { announce } from '../../shell/components/announcer.tsx';
import { Button } from '../../shell/components/button.tsx';
import { ErrorSummary } from '../../shell/components/error-summary.tsx';
import type { Problem } from '../../shell/forms/form-errors.ts';
import { partWithTexts } from '../../shell/part-with-texts.ts';
import styles from './missing-contacts.module.css';
import type { ContactKind } from './use-contact.ts';

const AddContact = partWithTexts(
  'account',
  async () => (await bring(() => import('./add-contact.tsx'))).AddContact,
);

const addTexts = { email: 'missing.addEmail', phone: 'missing.addPhone' } as const;

/** Names the contacts that the app would not get, with a button that adds each without leaving the request. */
export const MissingContacts: MissingContactsPart = ({ accountId, app, kinds, onAdded }) => {
  const { t } = useTranslation();
  const [adding, setAdding] = useState<ContactKind>();
  const [problem, setProblem] = useState<Problem>();
  const fail = useCallback((error: ApiError) => {
    setAdding(undefined);
    setProblem(error);
  }, []);
  const close = (added: boolean) => {
    setAdding(undefined);
    if (!added) return;
    onAdded();
    announce(t('app.done'));
  };
  return (
    <>
      <ErrorSummary errors={problem ? { form: problem } : {}} fields={[]} />
      <ul className={styles.list}>
        {kinds.map((kind) => (
          <li key={kind} className={styles.contact}>
            <p className={styles.words}>{t(`missing.${kind}`, { app })}</p>
            <Button
              look="text"
              busy={adding === kind}
              onClick={() => {
                prepareDialog();
                setProblem(undefined);
                setAdding(kind);
              }}
            >
              {t(addTexts[kind])}
            </Button>
          </li>
        ))}
      </ul>
      {adding && (
        <ChunkBoundary>
          <AddContact accountId={accountId} kind={adding} onClose={close} onFailed={fail} />
        </ChunkBoundary>
      )}
    </>
  );
};
