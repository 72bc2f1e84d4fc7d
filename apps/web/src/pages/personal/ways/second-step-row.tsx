import type { Ways } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../components/moment.tsx';
import { Phrase } from '../../../components/phrase.tsx';
import row from '../account-rows.module.css';
import { SettingRow } from '../setting-row.tsx';
import { RowAction } from './row-action.tsx';
import type { WayDialogKind } from './way-dialog-kind.ts';
import styles from './ways-section.module.css';

/** So few recovery codes are worth a warning. */
const FEW_CODES = 2;

interface SecondStepRowProps {
  totp: Ways['totp'];
  onOpen: (dialog: WayDialogKind) => void;
}

const CodesLeft = ({ count, onNew }: { count: number; onNew: () => void }) => {
  const { t } = useTranslation('account');
  const few = count === 0 ? t('ways.step.noCodes') : t('ways.step.fewCodes', { count });
  return (
    <>
      {count > FEW_CODES ? (
        <p className={styles.facts}>{t('ways.step.codesLeft', { count })}</p>
      ) : (
        <p className={styles.warning}>{few}</p>
      )}
      <div className={styles.actions}>
        <RowAction label={t('ways.step.newCodes')} what={t('ways.step.label')} onPress={onNew} />
      </div>
    </>
  );
};

/** The row of the authenticator app and its recovery codes. */
export const SecondStepRow = ({ totp, onOpen }: SecondStepRowProps) => {
  const { t } = useTranslation('account');
  const turn = totp
    ? { label: t('ways.step.off'), onPress: () => onOpen({ kind: 'turn-off' }) }
    : { label: t('ways.step.on'), onPress: () => onOpen({ kind: 'turn-on' }) };
  return (
    <SettingRow id="second-step" label={t('ways.step.label')} actions={[turn]}>
      {totp ? (
        <>
          <p>
            <Phrase text={(when) => t('ways.step.since', { when })}>
              <Moment at={totp.since} />
            </Phrase>
          </p>
          <CodesLeft count={totp.recoveryCodesLeft} onNew={() => onOpen({ kind: 'new-codes' })} />
        </>
      ) : (
        <span className={row.quiet}>{t('ways.step.none')}</span>
      )}
    </SettingRow>
  );
};
