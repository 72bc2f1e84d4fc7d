import type { Ways } from '@candela/contract';
import { useTranslation } from 'react-i18next';
import { Moment } from '../../../components/moment.tsx';
import { Phrase } from '../../../components/phrase.tsx';
import row from '../account-rows.module.css';
import { SettingRow } from '../setting-row.tsx';
import type { WayDialogKind } from './way-dialog-kind.ts';
import styles from './ways-section.module.css';

/** So few recovery codes are worth a warning. */
const FEW_CODES = 2;

interface SecondStepRowProps {
  totp: Ways['totp'];
  onOpen: (dialog: WayDialogKind) => void;
}

const CodesLeft = ({ count }: { count: number }) => {
  const { t } = useTranslation('account');
  if (count > FEW_CODES) return <p className={styles.facts}>{t('ways.step.codesLeft', { count })}</p>;
  return (
    <p className={styles.warning}>
      {count === 0 ? t('ways.step.noCodes') : t('ways.step.fewCodes', { count })}
    </p>
  );
};

/** The row of the authenticator app and its recovery codes. */
export const SecondStepRow = ({ totp, onOpen }: SecondStepRowProps) => {
  const { t } = useTranslation('account');
  const action = (label: string, kind: 'turn-on' | 'turn-off' | 'new-codes') => ({
    label,
    onPress: () => onOpen({ kind }),
  });
  const actions = totp
    ? [action(t('ways.step.newCodes'), 'new-codes'), action(t('ways.step.off'), 'turn-off')]
    : [action(t('ways.step.on'), 'turn-on')];
  return (
    <SettingRow id="second-step" label={t('ways.step.label')} actions={actions}>
      {totp ? (
        <>
          <p>
            <Phrase text={(when) => t('ways.step.since', { when })}>
              <Moment at={totp.since} />
            </Phrase>
          </p>
          <CodesLeft count={totp.recoveryCodesLeft} />
        </>
      ) : (
        <span className={row.quiet}>{t('ways.step.none')}</span>
      )}
    </SettingRow>
  );
};
