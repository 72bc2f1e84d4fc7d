import type { Account, ExportState } from '@candela/contract';
import { GRACE_DAYS } from '@candela/contract/rules/leaving';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../flow/components/moment.tsx';
import { Phrase } from '../../../flow/components/phrase.tsx';
import { prepareDialog } from '../../../flow/dialog/dialog.tsx';
import { call } from '../../../shell/api/client.ts';
import { bring } from '../../../shell/bring.ts';
import { ChunkBoundary } from '../../../shell/chunk/chunk-boundary.tsx';
import { part } from '../../../shell/chunk/part.tsx';
import { type Problem, useProblemText } from '../../../shell/forms/form-errors.ts';
import { exportQuery } from '../../account/queries.ts';
import { saveFile } from '../../account/save-file.ts';
import { useSensitiveSubmit } from '../../account/step-up.ts';
import card from '../../components/card.module.css';
import styles from './account-rows.module.css';
import { SettingRow } from './setting-row.tsx';

const LeaveDialog = part(async () => (await bring(() => import('./leave-dialog.tsx'))).LeaveDialog);

const DataState = ({ data }: { data: ExportState | undefined }) => {
  const { t } = useTranslation('security');
  if (data?.state === 'preparing') return <span role="status">{t('leaving.rows.preparing')}</span>;
  if (data?.state === 'ready' && data.expiresAt) {
    return (
      <Phrase text={(when) => t('leaving.rows.ready', { when })}>
        <Moment at={data.expiresAt} />
      </Phrase>
    );
  }
  return (
    <span className={styles.quiet}>
      {t(data?.requestedAt ? 'leaving.rows.again' : 'leaving.rows.dataText')}
    </span>
  );
};

const DataRow = () => {
  const { t } = useTranslation('security');
  const client = useQueryClient();
  const problemText = useProblemText();
  const { data } = useQuery(exportQuery);
  const [problem, setProblem] = useState<Problem>();
  const prepare = useSensitiveSubmit(async () => {
    setProblem(undefined);
    client.setQueryData(exportQuery.queryKey, await call('POST /api/export'));
  }, setProblem);
  const download = useSensitiveSubmit(async () => {
    setProblem(undefined);
    saveFile(await call('GET /api/export/file'), 'account.zip');
    await client.invalidateQueries({ queryKey: exportQuery.queryKey });
  }, setProblem);
  const actions = {
    none: data?.requestedAt ? [] : [{ label: t('leaving.rows.prepare'), onPress: () => void prepare.run() }],
    preparing: [],
    ready: [{ label: t('leaving.rows.download'), onPress: () => void download.run() }],
  };
  return (
    <SettingRow
      id="data"
      label={t('leaving.rows.data')}
      look="long"
      actions={data ? actions[data.state] : []}
    >
      <DataState data={data} />
      {problem && (
        <p className={styles.problem} role="alert">
          {problemText(problem)}
        </p>
      )}
    </SettingRow>
  );
};

/** The last rows of the page: a copy of everything, and the end of the account. */
export const LeavingRows = ({ account }: { account: Account }) => {
  const { t } = useTranslation('security');
  const [open, setOpen] = useState(false);
  const ask = () => {
    prepareDialog();
    setOpen(true);
  };
  return (
    <>
      <dl className={card.card}>
        <DataRow />
        <SettingRow
          id="delete"
          label={t('leaving.rows.delete')}
          look="long"
          actions={[{ label: t('leaving.rows.deleteAction'), isDanger: true, onPress: ask }]}
        >
          <span className={styles.quiet}>{t('leaving.rows.deleteText', { days: GRACE_DAYS })}</span>
        </SettingRow>
      </dl>
      {open && (
        <ChunkBoundary overlay>
          <LeaveDialog account={account} onClose={() => setOpen(false)} />
        </ChunkBoundary>
      )}
    </>
  );
};
