import type { TotpStarted, Ways } from '@candela/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../../flow/components/moment.tsx';
import { Phrase } from '../../../../flow/components/phrase.tsx';
import { useDeviceName } from '../../../../flow/components/use-device-name.ts';
import { prepareDialog } from '../../../../flow/dialog/dialog.tsx';
import { call } from '../../../../shell/api/client.ts';
import { type Problem, useProblemText } from '../../../../shell/forms/form-errors.ts';
import { useSubmit } from '../../../../shell/forms/use-submit.ts';
import { useOnHide } from '../../../../shell/kept-pages/on-hide.ts';
import { useSensitiveSubmit } from '../../../account/step-up.ts';
import { notify } from '../../../components/toast.tsx';
import { focusRow } from '../focus-row.ts';
import { SettingRow } from '../setting-row.tsx';
import { trustedBrowsersQuery } from './queries.ts';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { NewCodesDialog, TurnOffDialog } from './second-step-dialogs.tsx';
import { TotpDialog } from './totp-dialog.tsx';
import { useFreshWays } from './use-fresh-ways.ts';
import styles from './ways-section.module.css';

/** With so few left, the row says so. */
const FEW_CODES = 2;

const Codes = ({ left }: { left: number }) => {
  const { t } = useTranslation('security');
  if (left > FEW_CODES) return t('ways.codesLeft', { number: left });
  return <span className={styles.few}>{t('ways.codesFew', { number: left })}</span>;
};

type Open =
  | 'off'
  | 'new-codes'
  | { started: TotpStarted }
  | { codes: readonly string[]; row: 'totp' | 'recovery-codes' };

/** The authenticator app: on or off, and its recovery codes. */
export const SecondStepRow = ({ ways }: { ways: Ways }) => {
  const { t } = useTranslation('security');
  const problemText = useProblemText();
  const refresh = useFreshWays();
  const [open, setOpen] = useState<Open>();
  const [problem, setProblem] = useState<Problem>();
  const close = () => setOpen(undefined);
  useOnHide(close);

  const starting = useSensitiveSubmit(async () => {
    setProblem(undefined);
    prepareDialog();
    setOpen({ started: await call('POST /api/totp') });
  }, setProblem);
  const ask = (question: 'off' | 'new-codes') => {
    prepareDialog();
    setOpen(question);
  };
  const { totp } = ways;
  const turn = totp
    ? { label: t('ways.totpOff'), onPress: () => ask('off') }
    : { label: t('ways.totpOn'), onPress: () => void starting.run() };
  const anew = { label: t('ways.codesNew'), onPress: () => ask('new-codes') };
  return (
    <>
      <SettingRow id="totp" label={t('ways.secondStep')} look="long" actions={[turn]}>
        {totp ? (
          <Phrase text={(when) => t('ways.totpSince', { when })}>
            <Moment at={totp.since} show="date" />
          </Phrase>
        ) : (
          <span className={styles.about}>{t('ways.totpText')}</span>
        )}
        {problem && (
          <span className={styles.warning} role="alert">
            {problemText(problem)}
          </span>
        )}
      </SettingRow>
      {totp && (
        <SettingRow id="recovery-codes" label={t('ways.codes')} look="long" actions={[anew]}>
          <Codes left={totp.recoveryCodesLeft} />
        </SettingRow>
      )}
      {open === 'off' && (
        <TurnOffDialog
          onDone={() => {
            close();
            focusRow('totp');
          }}
          onClose={close}
        />
      )}
      {open === 'new-codes' && (
        <NewCodesDialog onMade={(codes) => setOpen({ codes, row: 'recovery-codes' })} onClose={close} />
      )}
      {typeof open === 'object' && 'started' in open && (
        <TotpDialog
          started={open.started}
          onActivated={(codes) => {
            setOpen({ codes, row: 'totp' });
            void refresh();
          }}
          onClose={close}
        />
      )}
      {typeof open === 'object' && 'codes' in open && (
        <RecoveryCodesDialog
          codes={open.codes}
          onClose={() => {
            close();
            focusRow(open.row);
          }}
        />
      )}
    </>
  );
};

/** The browsers that are not asked for the second step. */
export const TrustedBrowserRows = () => {
  const { t } = useTranslation('security');
  const { data } = useQuery(trustedBrowsersQuery);
  const client = useQueryClient();
  const deviceName = useDeviceName();
  const problemText = useProblemText();
  const [problem, setProblem] = useState<Problem>();
  const ending = useSubmit(async (id: string) => {
    setProblem(undefined);
    await call('DELETE /api/trusted-browsers/:id', { params: { id } });
    await client.invalidateQueries({ queryKey: trustedBrowsersQuery.queryKey });
    notify(t('ways.trustEnded'));
    focusRow('totp');
  }, setProblem);
  return data?.items.map((browser) => (
    <SettingRow
      key={browser.id}
      id={`trusted-${browser.id}`}
      label={deviceName(browser)}
      look="thing"
      actions={[{ label: t('ways.askAgain'), onPress: () => void ending.run(browser.id) }]}
    >
      {browser.current && <span className={styles.facts}>{t('sessions.thisDevice')}</span>}
      <span className={styles.facts}>
        <Phrase text={(when) => t('ways.trustedUntil', { when })}>
          <Moment at={browser.expiresAt} show="date" />
        </Phrase>
      </span>
      {problem && (
        <span className={styles.warning} role="alert">
          {problemText(problem)}
        </span>
      )}
    </SettingRow>
  ));
};
