import type { DeskAccount, DeskAct } from '@candela/contract';
import { deskActNames } from '@candela/contract/rules/desk-acts';
import { useTranslation } from 'react-i18next';
import { Nothing, Section } from '../../components/section.tsx';
import { useMay } from '../../staff.ts';
import { offOf, useActs } from './acts.ts';
import styles from './help-card.module.css';

/** An app is withdrawn in its own row. */
const listed = deskActNames.filter((act) => act !== 'withdraw-authorization');

const ActRow = ({ act, isOff }: { act: DeskAct; isOff: boolean }) => {
  const { t } = useTranslation('desk');
  const { ask } = useActs();
  return (
    <li>
      <button
        type="button"
        className={styles.act}
        aria-disabled={isOff || undefined}
        onClick={() => !isOff && ask({ act })}
      >
        {t(`desk.acts.names.${act}`)}
      </button>
    </li>
  );
};

const Acts = ({ account }: { account: DeskAccount }) => {
  const { t } = useTranslation('desk');
  const byReason = Map.groupBy(listed, (act) => offOf(account, act));
  const can = byReason.get(undefined) ?? [];
  const off = [...byReason].filter(([reason]) => reason !== undefined && reason !== 'nothing_to_do');
  return (
    <>
      <ul>
        {can.map((act) => (
          <ActRow key={act} act={act} isOff={false} />
        ))}
      </ul>
      {off.map(([reason, acts]) => (
        <div key={reason} className={styles.off}>
          <h3 className={styles.why}>
            {reason === 'role_insufficient'
              ? t('desk.acts.operatorOnly')
              : reason && t(`desk.acts.off.${reason}`)}
          </h3>
          <ul>
            {acts.map((act) => (
              <ActRow key={act} act={act} isOff />
            ))}
          </ul>
        </div>
      ))}
    </>
  );
};

/** What can be done for the person, and what cannot be done now, with the reason. */
export const HelpCard = ({ account }: { account: DeskAccount }) => {
  const { t } = useTranslation('desk');
  const may = useMay();
  return (
    <Section name="acts" title={t('desk.account.sections.acts')}>
      {may('support') ? <Acts account={account} /> : <Nothing>{t('desk.acts.viewerText')}</Nothing>}
    </Section>
  );
};
